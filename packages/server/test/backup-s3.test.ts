import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { s3Environment, type S3Server } from './acceptance/test-storage.ts'
import { runAdmin } from './admin.ts'
import { cloneDatabase, databaseUrl } from './database.ts'
import { startOwnService, type Service } from './harness.ts'
import { missingS3Server, sharedS3Server } from './s3-server.ts'
import { uploadedBuild, uploadedInParts } from './uploading.ts'
import { createFixture, type Fixture } from './world.ts'

describe('backups of files in S3', { skip: missingS3Server }, () => {
  let server: S3Server
  let release: () => Promise<void>
  let service: Service
  let fixture: Fixture
  let parent: string
  let uploaded: { build: { id: string }; bytes: Uint8Array }[]

  before(async () => {
    ;({ server, release } = await sharedS3Server())
    parent = await mkdtemp(join(tmpdir(), 'quayside-backup-s3-'))
    service = await startOwnService({ environment: { QUAYSIDE_STORAGE: 'local' } })
    fixture = await createFixture(service)
    uploaded = [await uploadedBuild(service, fixture), await uploadedInParts(service, fixture)]
  })
  after(async () => {
    await service.close()
    await rm(parent, { recursive: true, force: true })
    await release()
  })

  async function succeed(from: Pick<Service, 'dataDir' | 'state'>, args: string[], environment = {}) {
    const { code, stdout, stderr } = await runAdmin(from, args, environment)
    assert.equal(code, 0, stdout + stderr)
    return stdout
  }

  /** Restores a backup to the storage in `environment`, checks it, and returns a service that runs on it. */
  async function restore(folder: string, storage: Record<string, string>) {
    const { connection, drop } = await cloneDatabase('template1')
    const dataDir = `${folder}-restored`
    const environment = { ...storage, QUAYSIDE_DATA_DIR: dataDir, DATABASE_URL: databaseUrl(connection) }
    await succeed(service, ['restore', folder], environment)
    assert.match(await succeed(service, ['fsck', '--deep'], environment), /No damage found/)
    const restored = await startOwnService({ environment })
    const close = () => restored.close().finally(drop)
    return { restored, environment, close }
  }

  async function assertSameBuilds({ call }: Service): Promise<void> {
    for (const { build, bytes } of uploaded) {
      const path = `/applications/${fixture.applicationId}/builds/${build.id}/download`
      const { status, body, text } = await call('GET', path, { key: fixture.applicationKey })
      assert.equal(status, 200, text)
      const received = await (await fetch(body.primary_file.temp_url)).arrayBuffer()
      assert.ok(Buffer.from(received).equals(bytes), build.id)
    }
  }

  test('restores a backup of a data folder to S3, and a backup of S3 to a data folder', async () => {
    const folder = join(parent, 'of-folder')
    await succeed(service, ['backup', folder])
    const onS3 = await restore(folder, s3Environment(server))
    const ofBucket = join(parent, 'of-bucket')
    try {
      await assertSameBuilds(onS3.restored)
      await succeed(service, ['backup', ofBucket], onS3.environment)
      const again = join(parent, 'of-bucket-again')
      await succeed(service, ['backup', again, '--previous', ofBucket], onS3.environment)
      const refused = await runAdmin(service, ['restore', folder], {
        ...onS3.environment,
        QUAYSIDE_DATA_DIR: join(parent, 'refused'),
      })
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /contains the files of an installation/)
    } finally {
      await onS3.close()
    }
    const local = await restore(join(parent, 'of-bucket-again'), { QUAYSIDE_STORAGE: 'local' })
    try {
      await assertSameBuilds(local.restored)
      await uploadedBuild(local.restored, fixture)
    } finally {
      await local.close()
    }
  })
})
