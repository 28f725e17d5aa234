import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, readdir, readFile, rename, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { sweepOrphanedBytes } from '../src/features/uploads/sweep-orphans.job.ts'
import { deleteMarkedObjects } from '../src/storage/delete-marked-objects.job.ts'
import { markAllUnreferencedObjects } from '../src/storage/mark-unreferenced.job.ts'
import { cloneDatabase } from './database.ts'
import { startService, type Service, type Tenant } from './harness.ts'
import { recordingLog } from './recording-log.ts'
import { put, requestUpload, uploadedBuild, verify } from './uploading.ts'

let service: Service
let tenant: Tenant
/** The uploaded builds. Their files must be served unchanged after every failure. */
const uploaded: { id: string; bytes: Uint8Array }[] = []

before(async () => {
  service = await startService()
  tenant = await service.tenant()
  await upload(2)
})
after(() => service.close())

async function upload(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const { build, bytes } = await uploadedBuild(service, tenant)
    uploaded.push({ id: build.id, bytes })
  }
}

async function assertEverythingIsServed(): Promise<void> {
  for (const { id, bytes } of uploaded) {
    const path = `/applications/${tenant.applicationId}/builds/${id}/download`
    const { status, body } = await service.call('GET', path, { key: tenant.applicationKey })
    assert.equal(status, 200)
    const response = await fetch(body.primary_file.temp_url)
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes), `${id}: ${response.status}`)
  }
}

const storageFolder = (name = '') => join(service.dataDir, 'storage', name)

/** Lists the keys in a part of the storage folder, such as `objects`. */
async function keysIn(area: string): Promise<string[]> {
  const groups = await readdir(storageFolder(area)).catch(() => [])
  return (await Promise.all(groups.map((group) => readdir(join(storageFolder(area), group))))).flat()
}

/** Backdates all stored files so that the orphan sweep considers them. */
async function ageFiles(): Promise<void> {
  const old = new Date(Date.now() - 3 * 24 * 3_600_000)
  for (const area of ['objects', 'staging'])
    for (const group of await readdir(storageFolder(area)))
      for (const key of await readdir(join(storageFolder(area), group)))
        await utimes(join(storageFolder(area), group, key), old, old)
}

/** Starts a service with the state of `service`, overridden by `state`. The caller restarts `service` afterward. */
const startWith = (state: Partial<Service['state']>, environment: Record<string, string> = {}) =>
  startService({ state: { ...service.state, ...state }, environment })

async function restart(): Promise<void> {
  service = await startService({ state: service.state })
}

const refusal =
  (...texts: (string | RegExp)[]) =>
  (error: Error & { code?: string }) => {
    assert.equal(error.code, 'installation.mismatch')
    for (const part of texts) assert.match(error.message, part instanceof RegExp ? part : new RegExp(part))
    return true
  }

const program = join(import.meta.dirname, '../bin/quayside-server.js')

async function storageCommand(args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [program, 'storage', ...args], {
    env: { ...process.env, ...environment },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { stdout, stderr, code: code as number }
}

const storedId = async () => (await readFile(storageFolder('installation-id'), 'utf8')).trim()

test('assigns the same identity to storage and database on the first start and keeps it after a restart', async () => {
  const { id } = await service.deps.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  assert.equal(await storedId(), id)
  await service.stop()
  await restart()
  assert.equal(await storedId(), id)
})

test('refuses to start with an empty database and a storage folder that is already in use', async () => {
  const id = await storedId()
  const empty = await cloneDatabase()
  await service.stop()
  await assert.rejects(
    startWith({ connection: empty.connection }),
    refusal(id, /the database is new/, /DATABASE_URL/, /quayside-server storage adopt/),
  )
  assert.equal((await keysIn('objects')).length, uploaded.length)
  await empty.drop()
  await restart()
  await assertEverythingIsServed()
})

test('refuses to start when the storage folder is missing and does not create one', async () => {
  await service.stop()
  const away = `${storageFolder()}.away`
  await rename(storageFolder(), away)
  await assert.rejects(startWith({}), refusal(/missing or empty/, /2 stored files/, /not mounted/))
  await assert.rejects(access(storageFolder()), { code: 'ENOENT' })
  await rename(away, storageFolder())
  await restart()
  await assertEverythingIsServed()
})

test('refuses to start a second service that uses the same database with a different folder', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quayside-test-second-'))
  await assert.rejects(
    startWith({ dataDir }),
    refusal(/missing or empty/, /another server uses this database/),
  )
  await rm(dataDir, { recursive: true })
})

test('refuses to start with the folder of another installation and names both installations', async () => {
  const other = await startService()
  const ids = [
    await storedId(),
    (await readFile(join(other.dataDir, 'storage/installation-id'), 'utf8')).trim(),
  ]
  await other.stop()
  await assert.rejects(startWith({ dataDir: other.dataDir }), refusal(...ids, /different installations/))
  await other.state.remove()
})

test('reports why it is not ready and deletes nothing while the storage folder is unmounted', async () => {
  const away = `${storageFolder()}.away`
  const readiness = async () => {
    const response = await fetch(`${service.url}/readyz`)
    return { status: response.status, ...((await response.json()) as { message: string }) }
  }
  assert.equal((await readiness()).status, 200)
  await rename(storageFolder(), away)
  const { status, message } = await readiness()
  assert.equal(status, 503)
  assert.match(message, /has no installation ID.*Check that the disk of the storage folder is mounted/)
  for (const run of [sweepOrphanedBytes, deleteMarkedObjects, markAllUnreferencedObjects])
    await assert.rejects(run(service.deps), { code: 'installation.mismatch' })
  await rename(away, storageFolder())
  assert.equal((await readiness()).status, 200)
})

test('loses no data when an older database is used temporarily with newer files', async () => {
  await service.stop()
  const older = await cloneDatabase(service.state.connection.database)
  await restart()
  await upload(8)
  const { pending_upload_id: pendingUploadId, primary_file } = await requestUpload(service, tenant)
  const staged = Buffer.alloc(1024, 7)
  assert.equal((await put(primary_file.presigned_data, staged)).status, 200)
  await service.stop()
  await ageFiles()

  const braked = await startWith({ connection: older.connection })
  const { log, lines } = recordingLog()
  await sweepOrphanedBytes({ ...braked.deps, log })
  assert.deepEqual(
    lines.map(({ level, details }) => [level, details]),
    [['error', { alarm: 'too_many_orphans', found: 9, examined: 11, limitPercent: 1 }]],
  )
  assert.equal((await keysIn('objects')).length, 10, 'the deletion guard keeps every file')
  await braked.stop()

  const forced = await startWith({ connection: older.connection }, { QUAYSIDE_ORPHAN_LIMIT_PERCENT: '100' })
  await sweepOrphanedBytes(forced.deps)
  assert.deepEqual([(await keysIn('objects')).length, (await keysIn('staging')).length], [2, 0])
  await sweepOrphanedBytes(forced.deps)
  await forced.stop()
  await older.drop()

  await restart()
  assert.equal((await keysIn('objects')).length, 10)
  await assertEverythingIsServed()
  const { status, body } = await verify(service, tenant, pendingUploadId)
  assert.equal(status, 200)
  uploaded.push({ id: body.build_id, bytes: staged })
  await assertEverythingIsServed()
})

test('deletes quarantined files after seven days', async () => {
  const orphan = randomUUID()
  const { storage, clock } = service.deps
  await storage.store(orphan, Buffer.from('orphan'))
  await ageFiles()
  await sweepOrphanedBytes(service.deps)
  const quarantined = async () => {
    const keys: string[] = []
    for await (const { key } of storage.listQuarantined()) keys.push(key)
    return keys
  }
  assert.deepEqual(await quarantined(), [orphan])
  const day = 24 * 3_600_000
  const later = (days: number) => ({ ...clock, now: () => new Date(Date.now() + days * day) })
  // The sweep refuses to run if the service clock differs from the database clock, so the test backdates the folder
  // instead of advancing the clock.
  const [run = ''] = await readdir(storageFolder('quarantine'))
  const movedDaysAgo = async (days: number) => {
    const name = later(-days)
      .now()
      .toISOString()
      .replaceAll(/[-:]|\.\d+/g, '')
    const [current = ''] = await readdir(storageFolder('quarantine'))
    await rename(storageFolder(`quarantine/${current}`), storageFolder(`quarantine/${name}`))
  }
  assert.match(run, /^\d{8}T\d{6}Z$/)
  await movedDaysAgo(6)
  await sweepOrphanedBytes(service.deps)
  assert.deepEqual(await quarantined(), [orphan])
  await movedDaysAgo(8)
  await sweepOrphanedBytes(service.deps)
  assert.deepEqual([await quarantined(), await readdir(storageFolder('quarantine'))], [[], []])
  await assertEverythingIsServed()
})

test('`quayside-server storage` lists and restores quarantined files and prints its usage', async () => {
  const orphan = randomUUID()
  const { storage } = service.deps
  await storage.store(orphan, Buffer.from('orphan'))
  await storage.quarantine({ key: orphan, state: 'sealed' }, new Date())
  const environment = { QUAYSIDE_DATA_DIR: service.dataDir }
  const listed = await storageCommand(['quarantine'], environment)
  assert.match(listed.stdout, new RegExp(`^\\d{4}-.*Z {2}sealed {2}${orphan}\n$`))
  const missing = await storageCommand(['restore', randomUUID()], environment)
  assert.deepEqual([missing.code, missing.stdout], [1, 'Restored 0 files.\n'])
  const restored = await storageCommand(['restore'], environment)
  assert.deepEqual([restored.code, restored.stdout], [0, 'Restored 1 file.\n'])
  assert.ok((await keysIn('objects')).includes(orphan))
  await storage.remove({ key: orphan })
  assert.match((await storageCommand(['--help'], {})).stdout, /^Usage: quayside-server storage <command>/)
  const { code, stderr } = await storageCommand(['adopt', 'now'], environment)
  assert.equal(code, 2)
  assert.match(stderr, /unknown argument 'now'\nRun quayside-server storage --help for usage/)
})

test('starts with the folder of another installation after `quayside-server storage adopt` and then rejects the previous database', async () => {
  const other = await startService()
  const otherState = other.state
  await other.stop()
  const environment = {
    QUAYSIDE_DATA_DIR: service.dataDir,
    DATABASE_URL: other.deps.config.databaseUrl ?? '',
  }
  await service.stop()
  const before = await storedId()
  const { code, stdout, stderr } = await storageCommand(['adopt'], environment)
  assert.equal(code, 0, stderr)
  const id = await storedId()
  assert.notEqual(id, before)
  assert.match(
    stdout,
    new RegExp(`are now installation ${id}\\.\nPreviously: storage ${before}, database [-0-9a-f]{36}\\.`),
  )
  await assert.rejects(startWith({}), refusal(id, before))
  // The links and encrypted values in the other database depend on the secret of its original installation.
  const secret = await readFile(join(otherState.dataDir, 'secret'), 'utf8')
  const adopted = await startWith({ connection: otherState.connection }, { QUAYSIDE_SECRET: secret.trim() })
  await adopted.stop()
  await otherState.remove()
  const back = await storageCommand(['adopt'], {
    ...environment,
    DATABASE_URL: service.deps.config.databaseUrl ?? '',
  })
  assert.equal(back.code, 0, back.stderr)
  await restart()
  await assertEverythingIsServed()
})
