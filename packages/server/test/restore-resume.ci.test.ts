import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { runAdmin } from './admin.ts'
import { cloneDatabase, databaseUrl } from './database.ts'
import { startOwnService, type Service } from './harness.ts'
import { until } from './until.ts'
import { uploadedBuild, versionOf } from './uploading.ts'
import { createFixture } from './world.ts'

const program = join(import.meta.dirname, '../bin/quayside-server.js')
/** The files of a restore to a bucket are tested with backups in a bucket. */
const inFolder = { QUAYSIDE_STORAGE: 'local' }
const builds = 8
const patience = { withinMs: 120_000, everyMs: 10 }

let service: Service
let parent: string
let backup: string

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quayside-restore-'))
  service = await startOwnService({ environment: inFolder })
  const fixture = await createFixture(service)
  for (let minor = 0; minor < builds; minor++) await uploadedBuild(service, fixture, versionOf(1, minor))
  backup = await backUp('backup')
})
after(async () => {
  await service.close()
  await rm(parent, { recursive: true, force: true })
})

async function backUp(name: string): Promise<string> {
  const folder = join(parent, name)
  const { code, stderr } = await runAdmin(service, ['backup', folder], inFolder)
  assert.equal(code, 0, stderr)
  return folder
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => !entry.isDirectory())
  return files.map((file) => relative(folder, join(file.parentPath, file.name))).toSorted()
}

/** Starts a restore, calls `ready`, and kills the restore. */
async function killWhen(
  environment: Record<string, string>,
  ready: (isRunning: () => boolean) => Promise<unknown>,
): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [program, 'admin', 'restore', backup], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  try {
    await ready(() => child.exitCode === null)
  } finally {
    child.kill('SIGKILL')
  }
  assert.deepEqual(await exited, [null, 'SIGKILL'])
}

/** Replaces a file by a pipe, so that a restore waits when it opens the file. Returns a function that restores the file. */
async function blockFile(path: string) {
  await rename(path, `${path}.original`)
  assert.equal(spawnSync('mkfifo', [path]).status, 0)
  return {
    /** Returns whether a process waits for the content of the file. */
    async isOpen(): Promise<boolean> {
      const pipe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined)
      if (pipe === undefined) return false
      // Closing the pipe would end the file, so it stays open until the restore has been killed.
      pipes.push(pipe)
      return true
    },
    async unblock(): Promise<void> {
      for (const pipe of pipes.splice(0)) await pipe.close()
      await rm(path)
      await rename(`${path}.original`, path)
    },
  }
}
const pipes: { close(): Promise<void> }[] = []

const options = { skip: process.platform === 'win32' && 'requires named pipes' }

test('resumes a restore that was killed three times without copying a file again', options, async () => {
  const target = await cloneDatabase('template1')
  const dataDir = join(parent, 'restored')
  const environment = {
    ...inFolder,
    QUAYSIDE_DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl(target.connection),
  }
  const restore = (location: string, settings = {}) =>
    runAdmin(service, ['restore', location], { ...environment, ...settings })
  const copies = join(dataDir, 'storage/objects')
  const originals = await filesIn(join(backup, 'storage/objects'))
  assert.ok(originals.length >= builds)
  try {
    await killWhen(environment, (isRunning) => blockLoading(target.connection, isRunning))
    assert.deepEqual(await filesIn(copies), [])

    // The restore copies files concurrently, so others are copied while it waits for one.
    const copied = new Map<string, number>()
    for (const minCopied of [2, originals.length - 1]) {
      const missing = originals.filter((name) => !copied.has(name))
      const blocked = await blockFile(join(backup, 'storage/objects', missing.at(-1) ?? ''))
      try {
        await killWhen(environment, async (isRunning) => {
          await until('the restore waits for a file', async () => !isRunning() || blocked.isOpen(), patience)
          const isEnough = async () => !isRunning() || (await filesIn(copies)).length >= minCopied
          await until(`${minCopied} files are copied`, isEnough, patience)
        })
      } finally {
        await blocked.unblock()
      }
      for (const name of await filesIn(copies)) copied.set(name, (await stat(join(copies, name))).ino)
      assert.ok(copied.size >= minCopied && copied.size < originals.length, `${copied.size} files`)
    }

    const started = spawn(process.execPath, [program], { env: { ...process.env, ...environment } })
    const [output] = await Promise.all([text(started.stderr), once(started, 'exit')])
    assert.match(output, /restore to the folder \S+ is incomplete\. Run the same .* command again/)
    const other = await restore(await backUp('other'))
    assert.match(other.stderr, /contains the interrupted restore of \S+backup, not of \S+other\./)
    const elsewhere = await restore(backup, { DATABASE_URL: databaseUrl(service.state.connection) })
    assert.match(elsewhere.stderr, /is not empty: it contains/)
    assert.deepEqual([other.code, elsewhere.code], [1, 1])

    const { code, stdout, stderr } = await restore(backup)
    assert.equal(code, 0, stderr)
    assert.match(stderr, /^Resuming the interrupted restore of \S+backup\.$/m)
    assert.doesNotMatch(stderr, /^public\.builds: /m)
    assert.match(stdout, new RegExp(`^Restored ${originals.length} files `, 'm'))
    assert.deepEqual(await filesIn(copies), originals)
    for (const [name, inode] of copied) assert.equal((await stat(join(copies, name))).ino, inode, name)
    for (const name of originals)
      assert.deepEqual(
        await readFile(join(copies, name)),
        await readFile(join(backup, 'storage/objects', name)),
      )
    const checked = await runAdmin(service, ['fsck', '--deep'], environment)
    assert.equal(checked.code, 0, checked.stdout)
    const again = await restore(backup)
    assert.match(again.stderr, /is not empty: it contains \S+ Restore to a new folder/)
  } finally {
    await target.drop()
  }
})

/** Keeps the restore from creating tables, and resolves when it waits. */
async function blockLoading(connection: pg.ClientConfig, isRunning: () => boolean): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('begin; create table schema_migrations (number integer)')
    const isBlocked = async () => {
      // PostgreSQL caches pg_stat_activity in a transaction, but not pg_locks.
      const { rows } = await client.query(`
        select from pg_locks as waiting join pg_locks as held using (pid)
        where not waiting.granted and held.database = (select oid from pg_database where datname = current_database())`)
      return !isRunning() || rows.length > 0
    }
    await until('the restore waits for a lock', isBlocked, patience)
  } finally {
    await client.end()
  }
}
