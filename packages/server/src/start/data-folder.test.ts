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
  async function prepare(
    name: string,
    mode: number,
    files: string[],
    shared: { isSharedForReading?: boolean; groupId?: number } = {},
  ) {
    const folder = join(parent, name)
    await mkdir(folder)
    for (const file of files) await writeFile(join(folder, file), '')
    await chmod(folder, mode)
    const warnings: string[] = []
    const log = { info: () => {}, warn: (_: unknown, text?: string) => void warnings.push(text ?? '') }
    await prepareDataFolder(folder, { log, isSharedForReading: false, ...shared })
    const { mode: newMode, gid } = await stat(folder)
    return { mode: newMode & 0o7777, gid, warnings: warnings.join() }
  }

  test('denies other users access to an existing folder', async () => {
    const own = ['secret', 'first-key', 'postgres.json', 'postgres.log', 'instance.lock', 'storage']
    const found = await prepare('open', 0o755, own)
    assert.equal(found.mode, 0o700)
    assert.match(found.warnings, /changed its mode from 0755 to 0700/)
    const closed = await prepare('closed', 0o700, own)
    assert.deepEqual([closed.mode, closed.warnings], [0o700, ''])
    assert.equal((await prepare('empty', 0o777, [])).mode, 0o700)
  })

  test('keeps a folder that is shared with nginx readable but not writable by other users', async () => {
    const readable = await prepare('read', 0o750, [], { isSharedForReading: true })
    assert.deepEqual([readable.mode, readable.warnings], [0o750, ''])
    assert.equal((await prepare('write', 0o775, [], { isSharedForReading: true })).mode, 0o755)
  })

  test('lets the storage group open files in the folder but not list them', async () => {
    const groupId = process.getuid?.() === 0 ? 33 : Number(process.getgid?.())
    const shared = { isSharedForReading: true, groupId }
    const found = await prepare('group', 0o700, ['secret'], shared)
    assert.deepEqual(found, { mode: 0o710, gid: groupId, warnings: '' })
    assert.equal((await prepare('group-open', 0o755, ['secret'], shared)).mode, 0o710)
    const home = await prepare('group-home', 0o700, ['notes.txt'], shared)
    assert.equal(home.mode, 0o700)
    assert.match(
      home.warnings,
      /contains other files, so its group is not changed\. Run "chgrp \d+ .* && chmod g\+x/,
    )
  })

  test('logs a warning and keeps the permissions of a folder that contains unrelated files', async () => {
    const found = await prepare('home', 0o755, ['secret', 'notes.txt'])
    assert.equal(found.mode, 0o755)
    assert.match(found.warnings, /contains other files\. Run "chmod 0700 /)
  })
})
