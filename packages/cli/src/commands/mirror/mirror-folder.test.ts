import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { MirrorFolder } from './mirror-folder.ts'

test('moves a build into a folder that becomes empty at the same time', async () => {
  const root = await mkdtemp(join(tmpdir(), 'quayside-mirror-folder-'))
  try {
    const folder = new MirrorFolder(root)
    const copyAndDelete = async (job: number) => {
      for (let turn = 0; turn < 50; turn++) {
        const id = `${job}-${turn}`
        await mkdir(join(root, folder.staging(id)), { recursive: true })
        await folder.move(folder.staging(id), join('builds', 'default', id))
        await folder.discard(join('builds', 'default', id))
      }
    }
    await Promise.all([1, 2, 3].map(copyAndDelete))
    assert.deepEqual(await readdir(join(root, 'builds')), [])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
