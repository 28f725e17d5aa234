import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../src/config/config.ts'
import { createSystemClock } from '../src/lib/clock.ts'
import { provideMigration } from '../src/start/provide-migration.ts'
import { migrateObjects } from '../src/storage/objects/migrate-objects.ts'
import { s3Environment, type S3Server } from './acceptance/test-storage.ts'
import { runAdmin } from './admin.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { startS3Proxy } from './s3-proxy.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { composedBuild, put, requestUpload, uploadedBuild, verify } from './uploading.ts'

describe('migration of files to S3 and back', { skip: missingS3Server }, () => {
  let server: S3Server
  let s3: Record<string, string>
  let release: () => Promise<void>
  let service: Service
  let tenant: Tenant
  const builds = new Map<string, Uint8Array>()

  before(async () => {
    const shared = await sharedS3Server()
    release = shared.release
    server = shared.server
    s3 = s3Environment(server)
    service = await startOwnService({ environment: { ...s3, QUAYSIDE_STORAGE: 'local' } })
    tenant = await service.tenant()
  })
  after(async () => {
    await service.close()
    await release()
  })

  const restart = async (environment: Record<string, string>) => {
    await service.stop()
    const { state } = service
    service = await startOwnService({ state, environment: { ...s3, ...environment } })
  }

  async function upload(): Promise<void> {
    const { build, bytes } = await uploadedBuild(service, tenant, {}, randomBytes(100_000))
    builds.set(build.id, bytes)
  }

  async function assertDownloads(): Promise<void> {
    for (const [id, bytes] of builds) {
      const path = `/applications/${tenant.applicationId}/builds/${id}/download`
      const { body } = await service.call('GET', path, { key: tenant.applicationKey })
      const response = await fetch(body.primary_file.temp_url)
      assert.equal(response.status, 200)
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(bytes))
    }
  }

  /** Copies the files as the command does. `onProgress` may throw to interrupt it. */
  async function migrate(environment: Record<string, string>, onProgress: () => void = () => {}) {
    const config = readConfig({ ...s3, ...environment, QUAYSIDE_DATA_DIR: service.dataDir })
    const closers: (() => Promise<void>)[] = []
    const context = { clock: createSystemClock(), log: pino({ level: 'silent' }), closers }
    const { db } = service.deps
    try {
      const { open } = await provideMigration(config, db, context)
      return await migrateObjects({ db, ...(await open()), onProgress })
    } finally {
      for (const close of closers) await close()
    }
  }

  test('serves every file before, during and after a migration that is interrupted and resumed', async () => {
    const toS3 = { QUAYSIDE_STORAGE: 's3', QUAYSIDE_STORAGE_PREVIOUS: 'local' }
    for (let count = 0; count < 7; count++) await upload()
    const source = await uploadedBuild(service, tenant, {}, randomBytes(100_000))
    for (const { build, bytes } of [source, await composedBuild(service, tenant, source)])
      builds.set(build.id, bytes)
    // The parts are sent to the folder, and the upload is verified during the migration.
    const bytes = randomBytes(2000)
    const primary_file = { filename: 'app.tar.gz', size_bytes: bytes.length }
    const open = await requestUpload(service, tenant, { primary_file })
    assert.equal((await put(open.primary_file.presigned_data, bytes)).status, 200)

    await restart(toS3)
    await upload()
    const verified = await verify(service, tenant, open.pending_upload_id)
    assert.equal(verified.status, 200, verified.text)
    builds.set(verified.body.build_id, bytes)
    await assertDownloads()
    let examined = 0
    const interrupted = migrate(toS3, () => {
      if (++examined === 4) throw new Error('interrupted')
    })
    await assert.rejects(interrupted, { message: 'interrupted' })
    await assertDownloads()
    const { objects, damagedKeys } = await migrate(toS3)
    assert.ok(objects > 0 && objects < 10)
    assert.deepEqual(damagedKeys, [])
    assert.equal((await migrate(toS3)).objects, 0)

    await restart({ QUAYSIDE_STORAGE: 's3' })
    await assertDownloads()
    await upload()
  })

  test('migrates the files back to the folder', async () => {
    const toFolder = { QUAYSIDE_STORAGE: 'local', QUAYSIDE_STORAGE_PREVIOUS: 's3' }
    await restart(toFolder)
    await assertDownloads()
    // Browsers still download the files that have not been migrated from S3.
    assert.deepEqual(await service.deps.storage.listClientOrigins(), [server.endpoint])
    const { damagedKeys } = await migrate(toFolder)
    assert.deepEqual(damagedKeys, [])
    await restart({ QUAYSIDE_STORAGE: 'local' })
    await assertDownloads()
  })

  const partBytes = 5 * 1024 * 1024

  async function putPart(upload: { pending_upload_id: string }, part_number: number, bytes: Uint8Array) {
    const { body } = await service.call('POST', '/upload/request/multipart', {
      key: tenant.applicationKey,
      body: { pending_upload_id: upload.pending_upload_id, part_number, content_length: bytes.length },
    })
    assert.equal((await put(body.part_presigned_url, bytes)).status, 200)
  }

  /** Returns the settings for a migration from the prefix of the previous ones to a new prefix. */
  const toPrefix = (previous: Record<string, string>) => {
    const current = s3Environment(server)
    const from = {
      QUAYSIDE_STORAGE_PREVIOUS: 's3',
      QUAYSIDE_S3_PREVIOUS_PREFIX: previous['QUAYSIDE_S3_PREFIX'] ?? '',
    }
    return { current, both: { ...current, ...from } }
  }

  test('migrates the files to another prefix while parts of an upload are sent', async () => {
    const toS3 = { QUAYSIDE_STORAGE: 's3', QUAYSIDE_STORAGE_PREVIOUS: 'local' }
    await restart(toS3)
    await migrate(toS3)
    const [whole, inParts] = [randomBytes(2000), randomBytes(partBytes + 2000)]
    const open = await requestUpload(service, tenant, {
      primary_file: { filename: 'app.tar.gz', size_bytes: whole.length },
    })
    assert.equal((await put(open.primary_file.presigned_data, whole)).status, 200)
    const chunked = await requestUpload(service, tenant, {
      primary_file: { filename: 'app.tar.gz', size_bytes: inParts.length },
    })
    await putPart(chunked, 1, inParts.subarray(0, partBytes))

    const { current, both } = toPrefix(s3)
    await restart(both)
    await upload()
    await putPart(chunked, 2, inParts.subarray(partBytes))
    for (const [{ pending_upload_id }, bytes] of [
      [open, whole],
      [chunked, inParts],
    ] as const) {
      const verified = await verify(service, tenant, pending_upload_id)
      assert.equal(verified.status, 200, verified.text)
      builds.set(verified.body.build_id, bytes)
    }
    await assertDownloads()
    let examined = 0
    const interrupted = migrate(both, () => {
      if (++examined === 4) throw new Error('interrupted')
    })
    await assert.rejects(interrupted, { message: 'interrupted' })
    await assertDownloads()
    const { objects, damagedKeys } = await migrate(both)
    assert.ok(objects > 0)
    assert.deepEqual(damagedKeys, [])
    assert.equal((await migrate(both)).objects, 0)
    await restart(current)
    await assertDownloads()
    await upload()
    s3 = current
  })

  test('sends files through the command if the store cannot copy them itself', async () => {
    const { object_key: unreadable } = await service.deps.db
      .selectFrom('files')
      .select('object_key')
      .executeTakeFirstOrThrow()
    let isChanging = false
    const proxy = await startS3Proxy(server.endpoint, ({ method, url = '' }) =>
      isChanging && method === 'GET' && url.includes(unreadable) ? 'flip-bit' : undefined,
    )
    try {
      const { current, both } = toPrefix(s3)
      // Another endpoint is another store, even though it leads to the same bucket.
      const elsewhere = { ...both, QUAYSIDE_S3_PREVIOUS_ENDPOINT: proxy.url }
      await restart(elsewhere)
      isChanging = true
      const { code, stdout, stderr } = await runAdmin(service, ['migrate-storage'], elsewhere)
      isChanging = false
      assert.equal(code, 1, stdout)
      assert.match(stderr, new RegExp(`the bytes of the file ${unreadable} were changed on the way; check`))
      assert.match(stdout, new RegExp(`^Copied ${builds.size - 1} files`, 'm'))
      const { objects, damagedKeys, unreadableKeys } = await migrate(elsewhere)
      assert.deepEqual([objects, damagedKeys, unreadableKeys], [1, [], []])
      await restart(current)
      await assertDownloads()
    } finally {
      await proxy.close()
    }
  })
})
