import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, requestUpload, uploadBody, verify } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const request = (fields: Record<string, unknown>, key = tenant.applicationKey) =>
  service.call('POST', '/upload/request', { key, body: uploadBody(fields) })

const list = async (query: string, key = tenant.applicationKey) => {
  const { status, body, text } = await service.call('GET', `/upload${query}`, { key })
  assert.equal(status, 200, text)
  return body.data as { pending_upload_id: string; files: { parts: { etag: string }[] }[] }[]
}

const file = (filename: string, size_bytes = 10) => ({ primary_file: { filename, size_bytes } })

async function sendPart(pending_upload_id: string, part_number: number, bytes: Uint8Array) {
  const body = { pending_upload_id, part_number, content_length: bytes.length }
  const { body: part } = await service.call('POST', '/upload/request/multipart', {
    key: tenant.applicationKey,
    body,
  })
  return put(part.part_presigned_url as string, bytes)
}

test('lists unfinished uploads with their stored parts by file name and size', async () => {
  const { pending_upload_id } = await requestUpload(service, tenant, file('listed.tar.gz'))
  await requestUpload(service, tenant, file('listed.tar.gz', 11))
  const { etag } = await sendPart(pending_upload_id, 1, randomBytes(4))
  const found = await list('?filename=listed.tar.gz&size_bytes=10')
  assert.deepEqual(
    found.map((upload) => upload.pending_upload_id),
    [pending_upload_id],
  )
  assert.equal(found[0]?.files[0]?.parts[0]?.etag.replaceAll('"', ''), etag.replaceAll('"', ''))
  assert.equal((await list('?filename=listed.tar.gz')).length, 2)
  assert.equal((await list('?filename=listed.tar.gz', tenant.workspaceKey)).length, 2)
  await service.call('POST', '/upload/abort', { key: tenant.applicationKey, body: { pending_upload_id } })
  assert.deepEqual(await list('?filename=listed.tar.gz&size_bytes=10'), [])
})

test('does not list or resume uploads of other tenants', async () => {
  const other = await service.tenant()
  const { pending_upload_id } = await requestUpload(service, other, file('foreign.tar.gz'))
  assert.deepEqual(await list('?filename=foreign.tar.gz', tenant.workspaceKey), [])
  const path = `/upload?application_id=${other.applicationId}`
  assert.equal((await service.call('GET', path, { key: tenant.workspaceKey })).status, 422)
  const fields = { ...file('foreign.tar.gz'), resume_pending_upload_id: pending_upload_id }
  assert.equal((await request(fields)).status, 404)
})

test('keeps the stored parts and replaces the attributes when an upload is resumed', async () => {
  const first = await requestUpload(service, tenant, {
    ...file('resumed.tar.gz'),
    ci_run_id: '1',
    labels: ['first'],
    notes: 'first attempt',
  })
  const bytes = randomBytes(10)
  const one = await sendPart(first.pending_upload_id, 1, bytes.subarray(0, 4))
  const { status, body, text } = await request({
    ...file('resumed.tar.gz'),
    resume_pending_upload_id: first.pending_upload_id,
    ci_run_id: '2',
    labels: ['second'],
    stream: 'stable',
  })
  assert.equal(status, 200, text)
  assert.equal(body.pending_upload_id, first.pending_upload_id)
  const two = await sendPart(first.pending_upload_id, 2, bytes.subarray(4))
  const verified = await verify(service, tenant, first.pending_upload_id, [
    { PartNumber: 1, ETag: one.etag },
    { PartNumber: 2, ETag: two.etag },
  ])
  assert.equal(verified.status, 200, verified.text)
  const { build } = verified.body
  assert.equal(build.stream.name, 'stable')
  assert.equal(build.notes, null)
  assert.deepEqual(
    build.labels.map(({ name }: { name: string }) => name),
    ['second'],
  )
  assert.equal(build.primary_file.size_bytes, 10)
})

test('refuses to resume an upload of another file or a verified upload', async () => {
  const { pending_upload_id, primary_file } = await requestUpload(service, tenant, file('done.tar.gz'))
  const resume = { resume_pending_upload_id: pending_upload_id }
  for (const other of [file('other.tar.gz'), file('done.tar.gz', 11)]) {
    const { status, body } = await request({ ...other, ...resume })
    assert.deepEqual([status, body.code], [400, 'upload.other_files'])
  }
  await put(primary_file.presigned_data, randomBytes(10))
  assert.equal((await verify(service, tenant, pending_upload_id)).status, 200)
  const { status, body } = await request({ ...file('done.tar.gz'), ...resume })
  assert.deepEqual([status, body.code], [400, 'upload.verified'])
})
