import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { storesInS3, testStorageSettings } from './acceptance/test-storage.ts'
import { cloneDatabase } from './database.ts'
import { startService, type Service } from './harness.ts'
import { assertIsPatched, uploadPatchedPair } from './offered-patches.ts'
import type { ServerConnection } from './postgres-server.ts'
import { composedBuild, uploadedBuild, uploadedInParts, versionOf } from './uploading.ts'
import { createFixture, type Fixture } from './world.ts'

// The compile cache halves the time that a command takes to start.
const inherited = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
const program = join(import.meta.dirname, '../bin/quayside-server.js')

let service: Service
let fixture: Fixture
let parent: string
/** The builds whose content and share links must not change when they are restored. */
let shared: { path: string; bytes: Uint8Array }[]
/** Two builds with a patch between them. */
let patched: Awaited<ReturnType<typeof uploadPatchedPair>>
/** The backup that the tests read. Tests that need a modified backup change a copy of it. */
let complete: { folder: string; stdout: string; stderr: string }

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quayside-backup-'))
  service = await startService({ environment: { DATABASE_URL: '' } })
  fixture = await createFixture(service)
  const inParts = await uploadedInParts(service, fixture)
  shared = [await share(await uploadedBuild(service, fixture)), await share(inParts)]
  if (!storesInS3) {
    const composed = await composedBuild(service, fixture, inParts)
    shared.push(await share(composed), await share(await composedBuild(service, fixture, composed)))
  }
  patched = await uploadPatchedPair(service, fixture)
  complete = await backUp('complete')
})
after(async () => {
  await service.close()
  await rm(parent, { recursive: true, force: true })
})

async function share({ build, bytes }: { build: { id: string }; bytes: Uint8Array }) {
  const path = `/applications/${fixture.applicationId}/builds/${build.id}/share-links`
  const {
    status,
    body,
    text: response,
  } = await service.call('POST', path, {
    key: fixture.applicationKey,
    body: {},
  })
  assert.equal(status, 201, response)
  return { path: new URL(body.data.url).pathname, bytes }
}

/** Runs the command with the settings of the service, overridden by `environment`. */
async function admin(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, 'admin', ...args], {
    env: { ...inherited, QUAYSIDE_DATA_DIR: service.dataDir, ...service.state.storage, ...environment },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { stdout, stderr, code: code as number }
}

async function backUp(name: string, ...options: string[]) {
  const folder = join(parent, name)
  const { code, stdout, stderr } = await admin(['backup', folder, ...options])
  assert.equal(code, 0, stderr)
  return { folder, stdout, stderr }
}

async function copyOfBackup(name: string): Promise<string> {
  const folder = join(parent, name)
  await cp(complete.folder, folder, { recursive: true })
  return folder
}

const urlOf = ({ host, port, user, database }: ServerConnection): string =>
  host.startsWith('/')
    ? `postgres://${user}@/${database}?host=${host}&port=${port}`
    : `postgres://${user}@${host}:${port}/${database}`

/** Downloads each shared build through its link and compares the bytes. */
async function assertLinksWork(restored: Service, links = shared) {
  for (const { path, bytes } of links) {
    const url = `${restored.url}${path}/downloads`
    const { status, body, text: response } = await restored.call('POST', url, { key: null, body: {} })
    assert.equal(status, 200, response)
    const received = await (await fetch(body.primary_file.temp_url)).arrayBuffer()
    assert.ok(Buffer.from(received).equals(bytes), path)
  }
}

/** Returns the path of the largest file in a backup, which belongs to the build that was uploaded in parts. */
async function findLargeFile(backup: string): Promise<string> {
  const folder = join(backup, 'storage/objects')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  return paths[sizes.indexOf(Math.max(...sizes))] ?? assert.fail()
}

test('backs up a running service and restores its builds, share links and keys to a new folder', async () => {
  const { folder, stdout, stderr } = complete
  assert.match(stderr, /^public\.builds: [1-9]\d* rows, [\d.]+ K?B$/m)
  assert.match(stderr, /^files: (\d+) of \1, ([\d.]+ MB) of \2$/m)
  assert.match(
    stdout,
    /The backup is in .*complete: [1-9]\d* files \(.* MB\), the database and the master secret/,
  )
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  const dataDir = join(parent, 'restored')
  const environment = { ...testStorageSettings(), QUAYSIDE_DATA_DIR: dataDir }
  const restoring = await admin(['restore', folder], environment)
  assert.equal(restoring.code, 0, restoring.stderr)
  assert.match(restoring.stdout, /Restored [1-9]\d* files .* and the database from 2/)
  const restored = await startService({ environment: { DATABASE_URL: '', ...environment } })
  try {
    await assertLinksWork(restored)
    await assertIsPatched(restored, fixture, patched)
    // Uploading to the restored service proves that its sequences, triggers and foreign keys work.
    await uploadedBuild(restored, fixture)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from share_links`.execute(
      restored.deps.db,
    )
    const before = await sql<{ count: number }>`select count(*)::int as count from share_links`.execute(
      service.deps.db,
    )
    assert.deepEqual(rows, before.rows)
  } finally {
    await restored.close()
  }
})

const backups = Number(process.env['QUAYSIDE_BACKUPS'] ?? 1)

test('contains every build that was acknowledged before the backup started while other builds are being uploaded', async () => {
  const acknowledged: string[] = []
  const done = new AbortController()
  const uploading = (async () => {
    for (let count = 0; !done.signal.aborted; count++) {
      const version = versionOf(3, Math.floor(count / 1000), count % 1000)
      acknowledged.push((await uploadedBuild(service, fixture, version)).build.id)
    }
  })()
  const taken: { folder: string; expected: string[] }[] = []
  try {
    for (let index = 0; index < backups; index++) {
      const expected = [...acknowledged]
      const previous = taken.at(-1)
      const options = previous === undefined ? [] : ['--previous', previous.folder]
      taken.push({ folder: (await backUp(`under-load-${index}`, ...options)).folder, expected })
    }
  } finally {
    done.abort()
    await uploading
  }
  for (const { folder, expected } of taken) await assertRestorable(folder, expected)
})

/** Restores a backup, compares all files with their checksums, and starts a service with it. */
async function assertRestorable(folder: string, expected: string[]): Promise<void> {
  const target = await cloneDatabase()
  const dataDir = `${folder}-restored`
  const environment = {
    ...testStorageSettings(),
    QUAYSIDE_DATA_DIR: dataDir,
    DATABASE_URL: urlOf(target.connection),
  }
  try {
    // The test database already contains tables, but a restore requires an empty database.
    const refused = await admin(['restore', folder], environment)
    assert.match(refused.stderr, /is not empty: it contains .* Use an empty database\./)
    assert.equal(refused.code, 1)
    await emptyDatabase(target.connection)
    // A rejected restore leaves only the lock file, which does not prevent another attempt.
    const { code, stderr } = await admin(['restore', folder], environment)
    assert.equal(code, 0, stderr)
    const checked = await admin(['fsck', '--deep'], environment)
    assert.equal(checked.code, 0, checked.stdout)
    const restored = await startService({ environment })
    try {
      const rows = await restored.deps.db.selectFrom('builds').select('id').execute()
      const found = new Set(rows.map(({ id }) => id))
      assert.deepEqual(
        expected.filter((id) => !found.has(id)),
        [],
      )
      await assertLinksWork(restored)
    } finally {
      await restored.close()
    }
  } finally {
    await target.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function emptyDatabase(connection: ServerConnection): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('drop schema public, pgboss cascade; create schema public').finally(() => client.end())
}

test('hard-links files from an earlier backup and keeps them readable after that backup is deleted', async () => {
  const first = await copyOfBackup('first')
  const second = await backUp('second', '--previous', first)
  const path = await findLargeFile(first)
  const later = path.replace(first, second.folder)
  assert.equal((await stat(later)).ino, (await stat(path)).ino)
  await rm(first, { recursive: true })
  assert.equal((await readFile(later)).length, (await stat(later)).size)
})

test('skips and reports a damaged file but restores everything else', async () => {
  const folder = await copyOfBackup('damaged')
  const path = await findLargeFile(folder)
  const bytes = await readFile(path)
  bytes[100]! ^= 1
  await writeFile(path, bytes)
  const target = await cloneDatabase('template1')
  const environment = {
    ...testStorageSettings(),
    QUAYSIDE_DATA_DIR: join(parent, 'damaged-restored'),
    DATABASE_URL: urlOf(target.connection),
  }
  try {
    const { code, stderr } = await admin(['restore', folder], environment)
    assert.equal(code, 1)
    // A restore to S3 names the key, which is the name of the folder.
    const name = storesInS3 ? basename(dirname(path)) : path
    assert.ok(stderr.includes(`${name} is missing or damaged`), stderr)
    const restored = await startService({ environment })
    await assertLinksWork(restored, shared.slice(0, 1)).finally(() => restored.close())
  } finally {
    await target.drop()
  }
})

test('rejects a damaged database file before it changes anything', async () => {
  const folder = await copyOfBackup('damaged-table')
  await appendFile(join(folder, 'database/public.builds.copy.gz'), 'x')
  const target = await cloneDatabase('template1')
  const { code, stderr } = await admin(['restore', folder], {
    ...testStorageSettings(),
    QUAYSIDE_DATA_DIR: join(parent, 'damaged-table-restored'),
    DATABASE_URL: urlOf(target.connection),
  }).finally(target.drop)
  assert.equal(code, 1)
  assert.match(stderr, /public\.builds\.copy\.gz is damaged\. Use another backup\./)
})

test('rejects an incomplete backup, a folder that is not empty and a folder inside the data folder', async () => {
  const folder = await copyOfBackup('incomplete')
  const again = await admin(['backup', folder])
  assert.match(again.stderr, /is not empty: it contains .* Choose an empty or a new folder for the backup\./)
  const inside = await admin(['backup', join(service.dataDir, 'backup')])
  assert.match(inside.stderr, /is in the data folder\. Choose another one\./)
  const notEmpty = await admin(['restore', folder])
  assert.match(notEmpty.stderr, /is not empty: it contains .* Restore to a new folder/)
  await rm(join(folder, 'backup.json'))
  const incomplete = await admin(['restore', folder], { QUAYSIDE_DATA_DIR: join(parent, 'none') })
  assert.match(incomplete.stderr, /is not a complete backup/)
  assert.deepEqual([again.code, inside.code, notEmpty.code, incomplete.code], [1, 1, 1, 1])
})
