import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../src/config.ts'
import { createSystemClock } from '../src/lib/clock.ts'
import { provideStorage } from '../src/provide-storage.ts'
import { migrateObjects } from '../src/storage/migrate-objects.ts'
import { s3Environment } from './acceptance/test-storage.ts'
import { startOwnService, type Service, type Tenant } from './harness.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { put, requestUpload, uploadedBuild, verify } from './uploading.ts'

describe('migration of files to S3 and back', { skip: missingS3Server }, () => {
  let s3: Record<string, string>
  let release: () => Promise<void>
  let service: Service
  let tenant: Tenant
  const builds = new Map<string, Uint8Array>()

  before(async () => {
    const shared = await sharedS3Server()
    release = shared.release
    s3 = s3Environment(shared.server)
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
    const options = {
      db: service.deps.db,
      publicUrl: service.url,
      secrets: { secret: '' },
      isSoleService: false,
      groupId: undefined,
    }
    assert.ok(config.previousStorage)
    const from = await provideStorage(config.previousStorage, config, context)
    const to = await provideStorage(config.storage, config, context)
    try {
      return await migrateObjects({
        db: service.deps.db,
        from: (await from.open(options)).driver,
        to: (await to.open(options)).driver,
        toKind: to.kind,
        onProgress,
      })
    } finally {
      for (const close of closers) await close()
    }
  }

  test('serves every file before, during and after a migration that is interrupted and resumed', async () => {
    const toS3 = { QUAYSIDE_STORAGE: 's3', QUAYSIDE_STORAGE_PREVIOUS: 'local' }
    for (let count = 0; count < 8; count++) await upload()
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
    assert.ok(objects > 0 && objects < 9)
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
    const { damagedKeys } = await migrate(toFolder)
    assert.deepEqual(damagedKeys, [])
    await restart({ QUAYSIDE_STORAGE: 'local' })
    await assertDownloads()
  })
})
