import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { sweepOrphanedBytes } from '../src/features/uploads/sweep-orphans.job.ts'
import { deleteMarkedObjects } from '../src/storage/objects/delete-marked-objects.job.ts'
import { markAllUnreferencedObjects } from '../src/storage/objects/mark-unreferenced.job.ts'
import { storesInS3, testStorageSettings } from './acceptance/test-storage.ts'
import { cloneDatabase } from './database.ts'
import { startService, type Service, type Tenant } from './harness.ts'
import { recordingLog } from './recording-log.ts'
import { storedFiles, withOldFiles, withoutStorage } from './stored-files.ts'
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

const keysIn = (area: string) => storedFiles(service).listKeys(area)

/** Backdates all files in a storage folder so that the orphan sweep considers them. */
async function ageFiles(): Promise<void> {
  if (storesInS3) return
  const old = new Date(Date.now() - 3 * 24 * 3_600_000)
  for (const area of ['objects', 'staging'])
    for (const group of await readdir(storageFolder(area)))
      for (const key of await readdir(join(storageFolder(area), group)))
        await utimes(join(storageFolder(area), group, key), old, old)
}

const sweep = (deps: Service['deps']) =>
  sweepOrphanedBytes({ ...deps, storage: storesInS3 ? withOldFiles(deps.storage) : deps.storage })

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

const storedId = async (of: Service = service) =>
  (await storedFiles(of).installationId.read()).toString().trim()

test('assigns the same identity to storage and database on the first start and keeps it after a restart', async () => {
  const { id } = await service.deps.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  assert.equal(await storedId(), id)
  await service.stop()
  await restart()
  assert.equal(await storedId(), id)
})

test('refuses to start with an empty database and storage that is already in use', async () => {
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

test('refuses to start when the storage is missing and does not create it', async () => {
  await service.stop()
  await withoutStorage(service, async (environment) => {
    const reason = storesInS3 ? /QUAYSIDE_S3_PREFIX is probably not correct/ : /not mounted/
    const expected = refusal(/missing or empty/, /2 stored files/, reason)
    await assert.rejects(startWith({}, environment), expected)
    // Nothing was created, so that the next start fails too.
    await assert.rejects(startWith({}, environment), expected)
    await assert.rejects(access(storageFolder()), { code: 'ENOENT' })
  })
  await restart()
  await assertEverythingIsServed()
})

test('refuses to start a second service that uses the same database with different storage', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quayside-test-second-'))
  await assert.rejects(
    startWith({ dataDir, storage: testStorageSettings() }),
    refusal(/missing or empty/, /another server uses this database/),
  )
  await rm(dataDir, { recursive: true })
})

test('refuses to start with the storage of another installation and names both installations', async () => {
  const other = await startService()
  const ids = [await storedId(), await storedId(other)]
  await other.stop()
  const { dataDir, storage } = other.state
  await assert.rejects(startWith({ dataDir, storage }), refusal(...ids, /different installations/))
  await other.state.remove()
})

test('reports why it is not ready and deletes nothing while the storage is missing', async () => {
  const readiness = async () => {
    const response = await fetch(`${service.url}/readyz`)
    return { status: response.status, ...((await response.json()) as { message: string }) }
  }
  assert.equal((await readiness()).status, 200)
  await withoutStorage(service, async () => {
    const { status, message } = await readiness()
    assert.equal(status, 503)
    const advice = storesInS3 ? 'QUAYSIDE_S3_BUCKET' : 'that the disk of the storage folder is mounted'
    assert.match(message, new RegExp(`has no installation ID.*Check ${advice}`))
    for (const run of [sweepOrphanedBytes, deleteMarkedObjects, markAllUnreferencedObjects])
      await assert.rejects(run(service.deps), { code: 'installation.mismatch' })
  })
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
  await sweep({ ...braked.deps, log })
  assert.deepEqual(
    lines.map(({ level, details }) => [level, details]),
    [['error', { alarm: 'too_many_orphans', found: 9, examined: 11, limitPercent: 1 }]],
  )
  assert.equal((await keysIn('objects')).length, 10, 'the deletion guard keeps every file')
  await braked.stop()

  const forced = await startWith({ connection: older.connection }, { QUAYSIDE_ORPHAN_LIMIT_PERCENT: '100' })
  await sweep(forced.deps)
  // In S3, quarantined bytes stay where they are.
  const left = storesInS3 ? [10, 1] : [2, 0]
  assert.deepEqual([(await keysIn('objects')).length, (await keysIn('staging')).length], left)
  await sweep(forced.deps)
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
  await sweep(service.deps)
  const quarantined = async () => {
    const keys: string[] = []
    for await (const { key } of storage.listQuarantined()) keys.push(key)
    return keys
  }
  assert.deepEqual(await quarantined(), [orphan])
  // The sweep refuses to run if the service clock differs from the database clock, so the test moves the file into
  // quarantine at an earlier time instead of advancing the clock.
  const movedDaysAgo = async (days: number) => {
    for await (const found of storage.listQuarantined()) await storage.restore(found)
    const at = new Date(clock.now().getTime() - days * 24 * 3_600_000)
    await storage.quarantine({ key: orphan, state: 'sealed' }, at)
  }
  await movedDaysAgo(6)
  await sweepOrphanedBytes(service.deps)
  assert.deepEqual(await quarantined(), [orphan])
  await movedDaysAgo(8)
  await sweepOrphanedBytes(service.deps)
  assert.deepEqual(await quarantined(), [])
  assert.ok(!(await keysIn('objects')).includes(orphan))
  if (!storesInS3) assert.deepEqual(await readdir(storageFolder('quarantine')), [])
  await assertEverythingIsServed()
})

test('`quayside-server storage` lists and restores quarantined files and prints its usage', async () => {
  const orphan = randomUUID()
  const { storage } = service.deps
  await storage.store(orphan, Buffer.from('orphan'))
  await storage.quarantine({ key: orphan, state: 'sealed' }, new Date())
  const environment = { ...service.state.storage, QUAYSIDE_DATA_DIR: service.dataDir }
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

test('starts with the storage of another installation after `quayside-server storage adopt` and then rejects the previous database', async () => {
  const other = await startService()
  const otherState = other.state
  await other.stop()
  const environment = {
    ...service.state.storage,
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
