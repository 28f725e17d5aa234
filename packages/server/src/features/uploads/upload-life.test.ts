import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { folderOnly, storesInS3 } from '../../../test/acceptance/test-storage.ts'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, requestUpload, uploadedBuild, verify } from '../../../test/uploading.ts'
import { inTransaction } from '../../database/transaction.ts'
import { purgeOverdueApplications } from '../applications/purge-applications.job.ts'
import { sweepUploads } from './expire-uploads.job.ts'
import { sweepOrphanedBytes } from './sweep-orphans.job.ts'
import { acquireLease, leaseSeconds } from './upload-lease.db.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const post = (path: string, body: unknown) => service.call('POST', path, { key: tenant.applicationKey, body })
const status = async (id: string) =>
  (await service.call('GET', `/upload/${id}`, { key: tenant.applicationKey })).body.data
const backdateExpiry = (id: string) =>
  service.deps.db
    .updateTable('pending_uploads')
    .set({ expires_at: sql`now() - interval '1 hour'` })
    .where('id', '=', id)
    .execute()

const requestPart = (pending_upload_id: string, part_number: number, content_length: number) =>
  post('/upload/request/multipart', { pending_upload_id, part_number, content_length })

async function sendPart(id: string, part_number: number, bytes: Uint8Array) {
  const part = await requestPart(id, part_number, bytes.length)
  assert.equal(part.status, 200, part.text)
  return put(part.body.part_presigned_url, bytes)
}

async function download(buildId: string): Promise<Response> {
  const path = `/applications/${tenant.applicationId}/builds/${buildId}/download`
  return fetch((await service.call('GET', path, { key: tenant.applicationKey })).body.primary_file.temp_url)
}

test('accepts parts in any order and lists the stored parts in the upload status', async () => {
  const upload = await requestUpload(service, tenant)
  const [first, second] = [randomBytes(1000), randomBytes(24)]
  const late = await sendPart(upload.pending_upload_id, 2, second)
  assert.equal(late.status, 200)
  const { state, files } = await status(upload.pending_upload_id)
  assert.equal(state, 'requested')
  assert.deepEqual(files[0].parts, [{ part_number: 2, etag: late.etag.replaceAll('"', ''), size_bytes: 24 }])
  const incomplete = await verify(service, tenant, upload.pending_upload_id)
  assert.equal(incomplete.status, 400)
  assert.match(incomplete.body.message, /part 1 is missing/)
  await sendPart(upload.pending_upload_id, 1, first)
  const { status: ok, body } = await verify(service, tenant, upload.pending_upload_id)
  assert.equal(ok, 200)
  const downloaded = Buffer.from(await (await download(body.build_id)).arrayBuffer())
  assert.deepEqual(downloaded, Buffer.concat([first, second]))
})

test('deletes the data of an aborted upload and returns 400 for later verify and part requests', async () => {
  const upload = await requestUpload(service, tenant)
  const id = upload.pending_upload_id
  await put(upload.primary_file.presigned_data, randomBytes(1024))
  assert.equal((await post('/upload/abort', { pending_upload_id: id })).status, 200)
  assert.equal((await post('/upload/abort', { pending_upload_id: id })).status, 200)
  assert.equal((await verify(service, tenant, id)).status, 400)
  assert.equal((await requestPart(id, 1, 5)).status, 400)
  const { object_key } = await service.deps.db
    .selectFrom('pending_upload_files')
    .select('object_key')
    .where('pending_upload_id', '=', id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(await service.deps.storage.listStaged(object_key, ''), [])
})

test(
  'returns 409 for PUTs to signed URLs of an aborted, expired or purged upload and stores no bytes',
  folderOnly,
  async () => {
    const { db } = service.deps
    const purged = await service.tenant()
    const abort = (id: string) => post('/upload/abort', { pending_upload_id: id })
    const expire = async (id: string) => {
      await backdateExpiry(id)
      await sweepUploads(service.deps)
    }
    const purge = async () => {
      const deleted = db.updateTable('applications').set({ deleted_at: '2026-01-01T00:00:00Z' })
      await deleted.where('id', '=', purged.applicationId).execute()
      await purgeOverdueApplications(service.deps)
    }
    for (const [owner, end] of [
      [tenant, abort],
      [tenant, expire],
      [purged, purge],
    ] as const) {
      const { pending_upload_id: id, primary_file } = await requestUpload(service, owner)
      const body = { pending_upload_id: id, part_number: 1, content_length: 1024 }
      const part = await service.call('POST', '/upload/request/multipart', {
        key: owner.applicationKey,
        body,
      })
      const { object_key: key } = await db
        .selectFrom('pending_upload_files')
        .select('object_key')
        .where('pending_upload_id', '=', id)
        .executeTakeFirstOrThrow()
      // Recently stored bytes extend an upload, so nothing is sent for the upload that is supposed to expire.
      if (end !== expire) await put(part.body.part_presigned_url, randomBytes(1024))
      await end(id)
      for (const url of [primary_file.presigned_data, part.body.part_presigned_url]) {
        const response = await put(url, randomBytes(1024))
        assert.deepEqual([response.status, JSON.parse(response.text).code], [409, 'storage.upload_gone'])
      }
      assert.equal((await stat(join(service.dataDir, 'storage/staging', key.slice(-2), key))).size, 0)
    }
    assert.deepEqual(await readdir(join(service.dataDir, 'storage/tmp')), [])
  },
)

test('keeps the build of a verified upload and rejects later abort and part requests', async () => {
  const { build, pendingUploadId: id } = await uploadedBuild(service, tenant)
  assert.equal((await post('/upload/abort', { pending_upload_id: id })).status, 400)
  assert.equal((await requestPart(id, 1, 5)).status, 400)
  assert.equal((await status(id)).build_id, build.id)
})

test('returns 410 for an expired upload and marks the upload as swept', async () => {
  const upload = await requestUpload(service, tenant)
  const id = upload.pending_upload_id
  await backdateExpiry(id)
  assert.equal((await verify(service, tenant, id)).status, 410)
  assert.equal((await status(id)).state, 'expired')
  await sweepUploads(service.deps)
  const row = await service.deps.db
    .selectFrom('pending_uploads')
    .select(['state', 'swept_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(row.state, 'expired')
  assert.ok(row.swept_at)
})

test('extends an expired upload that has recently received data instead of sweeping it', async () => {
  const upload = await requestUpload(service, tenant)
  const id = upload.pending_upload_id
  await put(upload.primary_file.presigned_data, randomBytes(1024))
  await backdateExpiry(id)
  await sweepUploads(service.deps)
  assert.equal((await status(id)).state, 'requested')
  assert.equal((await verify(service, tenant, id)).status, 200)
})

test('does not sweep uploads after the clock jumps by more than a day', async () => {
  const upload = await requestUpload(service, tenant)
  await backdateExpiry(upload.pending_upload_id)
  const jumped = {
    ...service.deps.clock,
    now: () => new Date(Date.now() + 25 * 3_600_000),
    jumpMs: () => 25 * 3_600_000,
  }
  await assert.rejects(sweepUploads({ ...service.deps, clock: jumped }), { code: 'clock.unsound' })
  const { state } = await service.deps.db
    .selectFrom('pending_uploads')
    .select('state')
    .where('id', '=', upload.pending_upload_id)
    .executeTakeFirstOrThrow()
  assert.equal(state, 'requested')
})

test('takes over the verification from a killed service after its lease expires', async () => {
  const upload = await requestUpload(service, tenant)
  const id = upload.pending_upload_id
  await put(upload.primary_file.presigned_data, randomBytes(1024))
  const leave = (seconds: number) =>
    service.deps.db
      .updateTable('pending_uploads')
      .set({
        state: 'verifying',
        lease_id: id,
        lease_expires_at: sql`now() + make_interval(secs => ${seconds}::float8)`,
      })
      .where('id', '=', id)
      .execute()
  await leave(leaseSeconds)
  assert.equal((await post('/upload/abort', { pending_upload_id: id })).status, 400)
  await leave(1)
  assert.equal((await verify(service, tenant, id)).status, 200)
})

test('takes over a lease that was acquired before the database clock was set back', async () => {
  const upload = await requestUpload(service, tenant)
  const id = upload.pending_upload_id
  await put(upload.primary_file.presigned_data, randomBytes(1024))
  await service.deps.db
    .updateTable('pending_uploads')
    .set({ state: 'verifying', lease_id: id, lease_expires_at: sql`now() + interval '2 days'` })
    .where('id', '=', id)
    .execute()
  assert.equal((await verify(service, tenant, id)).status, 200)
})

test('does not take over a lease that was acquired after the transaction began', async () => {
  const { pending_upload_id: id } = await requestUpload(service, tenant)
  const { db } = service.deps
  await inTransaction(db, async (tx) => {
    await sql`select pg_sleep(0.02)`.execute(tx)
    await tx
      .updateTable('pending_uploads')
      .set({
        state: 'verifying',
        lease_id: id,
        lease_expires_at: sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`,
      })
      .where('id', '=', id)
      .execute()
    const { id: fileId } = await tx
      .selectFrom('pending_upload_files')
      .select('id')
      .where('pending_upload_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(await acquireLease(tx, id, randomUUID(), [{ fileId, parts: [] }]), false)
  })
})

test('removes only stored files that are older than 48 hours and have no database reference', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const { db, storage } = service.deps
  const orphan = await requestUpload(service, tenant)
  await put(orphan.primary_file.presigned_data, randomBytes(1024))
  const { object_key } = await db
    .selectFrom('pending_upload_files')
    .select('object_key')
    .where('pending_upload_id', '=', orphan.pending_upload_id)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('pending_uploads').where('id', '=', orphan.pending_upload_id).execute()
  await sweepOrphanedBytes(service.deps)
  assert.equal((await storage.listStaged(object_key, '')).length, 1, 'newer than 48 hours')
  // With a cutoff in the future, every key is older than the 48-hour grace period.
  const storageLater = {
    ...storage,
    listKeys: () => storage.listKeys({ unchangedSince: new Date(Date.now() + 3_600_000) }),
  }
  await sweepOrphanedBytes({ ...service.deps, storage: storageLater })
  const quarantined: string[] = []
  for await (const { key } of storage.listQuarantined()) quarantined.push(key)
  assert.ok(quarantined.includes(object_key))
  // In S3, quarantined bytes stay where they are.
  if (!storesInS3) assert.deepEqual(await storage.listStaged(object_key, ''), [])
  assert.equal((await download(build.id)).status, 200)
})

test('reports the stored files of a verified upload', async () => {
  const whole = await uploadedBuild(service, tenant)
  const status = async (id: string) =>
    (await service.call('GET', `/upload/${id}`, { key: tenant.applicationKey })).body.data
  const { state, build_id, files } = await status(whole.pendingUploadId)
  assert.deepEqual([state, build_id, files.length], ['verified', whole.build.id, 1])
  assert.equal(files[0].stored, true)
  assert.equal(files[0].etag, whole.build.primary_file.checksum_md5)
  assert.deepEqual(files[0].parts, [])
})
