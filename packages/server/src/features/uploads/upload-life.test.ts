import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, requested, uploadedBuild, verify } from '../../../test/uploading.ts'
import { sweepUploads } from './expire-uploads.job.ts'
import { sweepOrphanedBytes } from './sweep-orphans.job.ts'

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
const age = (id: string, hours: number) =>
  service.deps.db
    .updateTable('pending_uploads')
    .set({ expires_at: sql`now() - make_interval(hours => ${hours}::int)` })
    .where('id', '=', id)
    .execute()

async function sendPart(id: string, part_number: number, bytes: Uint8Array) {
  const part = await post('/upload/request/multipart', {
    pending_upload_id: id,
    part_number,
    content_length: bytes.length,
  })
  assert.equal(part.status, 200, part.text)
  return put(part.body.part_presigned_url, bytes)
}

test('parts sent out of order, the status tells what is stored', async () => {
  const upload = await requested(service, tenant)
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
  const link = await service.call(
    'GET',
    `/applications/${tenant.applicationId}/builds/${body.build_id}/download`,
    {
      key: tenant.applicationKey,
    },
  )
  const downloaded = Buffer.from(await (await fetch(link.body.primary_file.temp_url)).arrayBuffer())
  assert.deepEqual(downloaded, Buffer.concat([first, second]))
})

test('aborted, its bytes are gone, and every call but abort itself is 400', async () => {
  const upload = await requested(service, tenant)
  const id = upload.pending_upload_id
  await put(upload.primary_file.presigned_data, randomBytes(1024))
  assert.equal((await post('/upload/abort', { pending_upload_id: id })).status, 200)
  assert.equal((await post('/upload/abort', { pending_upload_id: id })).status, 200)
  assert.equal((await verify(service, tenant, id)).status, 400)
  const part = await post('/upload/request/multipart', {
    pending_upload_id: id,
    part_number: 1,
    content_length: 5,
  })
  assert.equal(part.status, 400)
  const { object_key } = await service.deps.db
    .selectFrom('pending_upload_files')
    .select('object_key')
    .where('pending_upload_id', '=', id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(await service.deps.storage.listStaged(object_key, ''), [])
})

test('verified, abort and further parts are 400, and the build stays', async () => {
  const { build, pendingUploadId: id } = await uploadedBuild(service, tenant)
  assert.equal((await post('/upload/abort', { pending_upload_id: id })).status, 400)
  const part = await post('/upload/request/multipart', {
    pending_upload_id: id,
    part_number: 1,
    content_length: 5,
  })
  assert.equal(part.status, 400)
  assert.equal((await status(id)).build_id, build.id)
})

test('not worked on for its time, 410, and the sweep drops its bytes once', async () => {
  const upload = await requested(service, tenant)
  const id = upload.pending_upload_id
  await age(id, 1)
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

test('bytes that came straight to storage lately, the sweep keeps the upload alive', async () => {
  const upload = await requested(service, tenant)
  const id = upload.pending_upload_id
  await put(upload.primary_file.presigned_data, randomBytes(1024))
  await age(id, 1)
  await sweepUploads(service.deps)
  assert.equal((await status(id)).state, 'requested')
  assert.equal((await verify(service, tenant, id)).status, 200)
})

test('a clock that jumped a day, nothing is swept', async () => {
  const upload = await requested(service, tenant)
  await age(upload.pending_upload_id, 1)
  const jumped = { now: () => new Date(Date.now() + 25 * 3_600_000), jumpMs: () => 25 * 3_600_000 }
  await assert.rejects(sweepUploads({ ...service.deps, clock: jumped }), { code: 'clock.unsound' })
  const { state } = await service.deps.db
    .selectFrom('pending_uploads')
    .select('state')
    .where('id', '=', upload.pending_upload_id)
    .executeTakeFirstOrThrow()
  assert.equal(state, 'requested')
})

test('a service killed while it verified, the next verify takes the lapsed lease over', async () => {
  const upload = await requested(service, tenant)
  const id = upload.pending_upload_id
  await put(upload.primary_file.presigned_data, randomBytes(1024))
  const { db } = service.deps
  await db
    .updateTable('pending_uploads')
    .set({ state: 'verifying', lease_id: id, lease_expires_at: sql`now() + interval '1 second'` })
    .where('id', '=', id)
    .execute()
  assert.equal((await post('/upload/abort', { pending_upload_id: id })).status, 400)
  assert.equal((await verify(service, tenant, id)).status, 200)
})

test('bytes without any row, the orphan sweep drops the old ones and nothing else', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const { db, storage } = service.deps
  const orphan = await requested(service, tenant)
  await put(orphan.primary_file.presigned_data, randomBytes(1024))
  const { object_key } = await db
    .selectFrom('pending_upload_files')
    .select('object_key')
    .where('pending_upload_id', '=', orphan.pending_upload_id)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('pending_uploads').where('id', '=', orphan.pending_upload_id).execute()
  await sweepOrphanedBytes(service.deps)
  assert.equal((await storage.listStaged(object_key, '')).length, 1, 'younger than 48 h')
  // listKeys is asked for what is older than 48 h: seen from three days on, all of it is
  const storageLater = {
    ...storage,
    listKeys: () => storage.listKeys({ unchangedSince: new Date(Date.now() + 3_600_000) }),
  }
  await sweepOrphanedBytes({ ...service.deps, storage: storageLater })
  assert.deepEqual(await storage.listStaged(object_key, ''), [])
  const link = await service.call(
    'GET',
    `/applications/${tenant.applicationId}/builds/${build.id}/download`,
    {
      key: tenant.applicationKey,
    },
  )
  assert.equal((await fetch(link.body.primary_file.temp_url)).status, 200)
})

test('a metadata artifact, requested by build or by upload, verified twice is one', async () => {
  const { build, pendingUploadId } = await uploadedBuild(service, tenant)
  const bytes = randomBytes(77)
  for (const target of [{ build_id: build.id }, { primary_pending_upload_id: pendingUploadId }]) {
    const wish = await post('/upload/metadata/request', {
      ...target,
      filename: 'report.json',
      size_bytes: 77,
    })
    assert.equal(wish.status, 200, wish.text)
    const id = wish.body.metadata_pending_upload_id
    assert.equal((await post('/upload/metadata/verify', { pending_upload_id: id })).status, 400)
    assert.equal((await put(wish.body.presigned_upload_data, bytes)).status, 200)
    const first = await post('/upload/metadata/verify', {
      pending_upload_id: id,
      file_description: 'Unit tests',
    })
    const again = await post('/upload/metadata/verify', { pending_upload_id: id })
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(again.body, first.body)
    assert.equal(first.body.build_id, build.id)
    assert.equal((await verify(service, tenant, id)).status, 400)
  }
  const path = `/applications/${tenant.applicationId}/builds/${build.id}`
  const { body } = await service.call('GET', path, { key: tenant.applicationKey })
  assert.equal(body.data.metadata_artifacts.length, 2)
  assert.equal(body.data.metadata_total_bytes, 154)
})

test('an artifact before its build is verified, 400 until it is', async () => {
  const upload = await requested(service, tenant)
  const wish = await post('/upload/metadata/request', {
    primary_pending_upload_id: upload.pending_upload_id,
    filename: 'log.txt',
    size_bytes: 3,
  })
  assert.equal(wish.status, 200, wish.text)
  await put(wish.body.presigned_upload_data, Buffer.from('abc'))
  const body = { pending_upload_id: wish.body.metadata_pending_upload_id }
  assert.equal((await post('/upload/metadata/verify', body)).status, 400)
  await put(upload.primary_file.presigned_data, randomBytes(1024))
  await verify(service, tenant, upload.pending_upload_id)
  assert.equal((await post('/upload/metadata/verify', body)).status, 200)
})

test('a 26th artifact, also when several are verified at once, is refused', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const wishes = await Promise.all(
    Array.from({ length: 27 }, (_, n) =>
      post('/upload/metadata/request', { build_id: build.id, filename: `r${n}.txt`, size_bytes: 1 }),
    ),
  )
  for (const wish of wishes) await put(wish.body.presigned_upload_data, Buffer.from('x'))
  const answers = await Promise.all(
    wishes.map((wish) =>
      post('/upload/metadata/verify', { pending_upload_id: wish.body.metadata_pending_upload_id }),
    ),
  )
  assert.equal(answers.filter((answer) => answer.status === 200).length, 25)
  assert.equal(answers.filter((answer) => answer.status === 400).length, 2)
})
