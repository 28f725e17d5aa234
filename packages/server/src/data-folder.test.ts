import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { prepareDataFolder } from './data-folder.ts'

describe('data folder', { skip: process.platform === 'win32' }, () => {
  let parent: string
  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'quayside-folder-'))
  })
  after(() => rm(parent, { recursive: true, force: true }))

  /**
   * Calls `prepareDataFolder` on a folder with the given mode and files. Returns the resulting mode and the warnings.
   */
  async function prepare(name: string, mode: number, files: string[], isSharedForReading = false) {
    const folder = join(parent, name)
    await mkdir(folder)
    for (const file of files) await writeFile(join(folder, file), '')
    await chmod(folder, mode)
    const warnings: string[] = []
    const log = { info: () => {}, warn: (_: unknown, text?: string) => void warnings.push(text ?? '') }
    await prepareDataFolder(folder, { log, isSharedForReading })
    return { mode: (await stat(folder)).mode & 0o7777, warnings: warnings.join() }
  }

  test('denies other users access to an existing folder', async () => {
    const own = ['secret', 'first-key', 'postgres.json', 'postgres.log', 'instance.lock', 'storage']
    const found = await prepare('open', 0o755, own)
    assert.equal(found.mode, 0o700)
    assert.match(found.warnings, /changed its mode from 0755 to 0700/)
    assert.deepEqual(await prepare('closed', 0o700, own), { mode: 0o700, warnings: '' })
    assert.equal((await prepare('empty', 0o777, [])).mode, 0o700)
  })

  test('leaves a folder shared with nginx readable but not writable by other users', async () => {
    assert.deepEqual(await prepare('read', 0o750, [], true), { mode: 0o750, warnings: '' })
    assert.equal((await prepare('write', 0o775, [], true)).mode, 0o755)
  })

  test('logs a warning and keeps the permissions of a folder that contains unrelated files', async () => {
    const found = await prepare('home', 0o755, ['secret', 'notes.txt'])
    assert.equal(found.mode, 0o755)
    assert.match(found.warnings, /contains other files\. Run "chmod 0700 /)
  })
})
