import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { startService } from '../harness.ts'
import { put, requestUpload, uploadBody, uploadedBuild, verify } from '../uploading.ts'
import { ok } from './everything.ts'
import { has, is, shortId, text, uuid, webUrl, type Json } from './shapes.ts'

const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte

const service = await startService()
const tenant = await service.tenant()
after(() => service.close())

const request = (fields: Json, key = tenant.applicationKey) =>
  service.call('POST', '/upload/request', { key, body: uploadBody(fields) })

test('stores a file sent in a single PUT request and returns its ETag (§4.3 whole file, §4.3 ETag)', async () => {
  const bytes = randomBytes(1000)
  const { primary_file, pending_upload_id } = await requestUpload(service, tenant, {
    primary_file: { filename: 'a.zip', size_bytes: bytes.length },
  })
  const stored = await put(primary_file.presigned_data, bytes)
  assert.deepEqual([stored.status, stored.etag], [200, `"${createHash('md5').update(bytes).digest('hex')}"`])
  assert.equal((await verify(service, tenant, pending_upload_id)).status, 200)
})

test('stores an expansion file in the same way as the primary file (§4.3 expansion file)', async () => {
  const [primary, expansion] = [randomBytes(100), randomBytes(50)]
  const upload = await requestUpload(service, tenant, {
    structure: 'file+expansion',
    platform: 'android',
    primary_file: { filename: 'a.apk', size_bytes: primary.length },
    expansion_files: [{ filename: 'main.1.a.obb', size_bytes: expansion.length }],
  })
  await put(upload.primary_file.presigned_data, primary)
  const early = await verify(service, tenant, upload.pending_upload_id)
  assert.equal(early.status, 400)
  assert.match(early.body.message, /main\.1\.a\.obb/)
  await put(upload.expansion_files[0].presigned_data, expansion)
  const { build } = ok(await verify(service, tenant, upload.pending_upload_id))
  assert.equal(build.expansion_files[0].checksum_md5, createHash('md5').update(expansion).digest('hex'))
})

test('requires a multipart upload only for files larger than 5 GB (§4.3 multipart above 5 GB, §8 single-part upload, §8 multipart upload)', async () => {
  const requestFile = async (size_bytes: number) =>
    ok(await request({ primary_file: { filename: 'a.zip', size_bytes } })).primary_file
  const largest = await requestFile(5 * gibibyte)
  has({ presigned_data: has({ url: webUrl }), chunked_upload: is(true) })(largest, '5 GB')
  const above = await requestFile(5 * gibibyte + 1)
  has({ presigned_data: is(null), chunked_upload: is(true) })(above, 'above 5 GB')
  for (const { chunked_number_parts: parts, chunked_part_size_mb: size } of [largest, above])
    assert.ok(parts <= 10_000 && parts * size * mebibyte >= 5 * gibibyte)
  assert.equal((await requestFile(mebibyte)).chunked_upload, false)
})

test('reports every invalid field of an upload request (§4.3 422, §7 422)', async () => {
  const { status, body } = await request({ platform: 'amiga', source: 'by mail', stream: 'none' })
  assert.equal(status, 422)
  assert.deepEqual(Object.keys(body.errors).toSorted(), ['platform', 'source', 'stream'])
  const wrongTypes = await request({ version_component_1_major: 'x', labels: 'one', primary_file: [] })
  assert.deepEqual(Object.keys(wrongTypes.body.errors).toSorted(), [
    'labels',
    'primary_file',
    'version_component_1_major',
  ])
})

/** Stores three parts of a file in parallel. */
async function uploadParts() {
  const bytes = randomBytes(2500)
  const upload = await requestUpload(service, tenant, {
    primary_file: { filename: 'a.zip', size_bytes: bytes.length },
  })
  const id = upload.pending_upload_id as string
  const slices = [bytes.subarray(0, 1000), bytes.subarray(1000, 2000), bytes.subarray(2000)]
  const chunks = await Promise.all(
    slices.map(async (slice, index) => {
      const body = { pending_upload_id: id, part_number: index + 1, content_length: slice.length }
      const part = ok(
        await service.call('POST', '/upload/request/multipart', { key: tenant.applicationKey, body }),
      )
      const { status, etag } = await put(part.part_presigned_url, slice)
      assert.equal(status, 200)
      return { PartNumber: index + 1, ETag: etag }
    }),
  )
  return { id, bytes, chunks }
}

test('stores parts sent in parallel and rejects invalid part numbers (§4.1 POST /upload/request/multipart, §4.4 part request, §8 part number)', async () => {
  const { id, bytes, chunks } = await uploadParts()
  const { build } = ok(await verify(service, tenant, id, chunks))
  assert.equal(build.primary_file.checksum_md5, createHash('md5').update(bytes).digest('hex'))
  const part = (part_number: unknown) =>
    service.call('POST', '/upload/request/multipart', {
      key: tenant.applicationKey,
      body: { pending_upload_id: id, part_number, content_length: 10 },
    })
  for (const wrong of [0, -1, 10_001, 1.5, null]) assert.equal((await part(wrong)).status, 422, String(wrong))
})

test('verifies a multipart upload only with the exact ETag of every part (§4.5 verify request)', async () => {
  const { id, chunks } = await uploadParts()
  const [first, second, third] = chunks
  assert.equal(
    (await service.call('POST', '/upload/verify', { key: tenant.applicationKey, body: {} })).status,
    422,
  )
  for (const wrong of [
    [first, second],
    [first, second, { PartNumber: 3, ETag: first?.ETag }],
    [first, second, { PartNumber: 3, ETag: '"00000000000000000000000000000000"' }],
  ]) {
    const response = await verify(service, tenant, id, wrong)
    assert.equal(response.status, 400, JSON.stringify(wrong))
    assert.match(JSON.stringify(response.body), /3/)
  }
  assert.equal((await verify(service, tenant, id, [first, second, third])).status, 200)
})

test('lists a build only after its file is stored and verified (§4.5 verify too early, §3 pending build, §3 list without pending builds, §3 listed after verify)', async () => {
  const path = `/applications/${tenant.applicationId}/builds?per_page=100`
  const total = async () =>
    ok(await service.call('GET', path, { key: tenant.workspaceKey })).pagination.total as number
  const before = await total()
  const bytes = randomBytes(100)
  const upload = await requestUpload(service, tenant, {
    primary_file: { filename: 'a.zip', size_bytes: 100 },
  })
  const id = upload.pending_upload_id as string
  assert.equal((await verify(service, tenant, id)).status, 400)
  await put(upload.primary_file.presigned_data, bytes)
  assert.equal(await total(), before)
  const verified = ok(await verify(service, tenant, id))
  assert.equal(verified.pending_processing, false)
  const { data } = ok(await service.call('GET', path, { key: tenant.workspaceKey }))
  assert.equal(data.filter((build: Json) => build.id === verified.build_id).length, 1)
  assert.ok(data.every(({ pending }: Json) => pending === false))
  assert.equal(await total(), before + 1)
})

test('marks only mobile builds as pending processing and allows every verified build to be downloaded (§3 build just verified)', async () => {
  for (const [platform, filename, expected] of [
    ['android', 'a.apk', true],
    ['android', 'a.aab', true],
    ['ios', 'a.ipa', true],
    ['linux', 'a.tar.gz', false],
  ] as const) {
    const bytes = randomBytes(100)
    const upload = await requestUpload(service, tenant, {
      platform,
      primary_file: { filename, size_bytes: 100 },
    })
    await put(upload.primary_file.presigned_data, bytes)
    const verified = ok(await verify(service, tenant, upload.pending_upload_id))
    assert.equal(verified.pending_processing, expected, filename)
    const download = await service.call(
      'GET',
      `/applications/${tenant.applicationId}/builds/${verified.build_id}/download`,
      { key: tenant.applicationKey },
    )
    assert.equal(download.status, 200)
    const file = Buffer.from(await (await fetch(download.body.primary_file.temp_url)).arrayBuffer())
    assert.ok(file.equals(bytes))
  }
})

test('returns the is_active and in_error_state flags of a webhook (§3 webhook flags)', async () => {
  const key = tenant.workspaceKey
  const path = `/applications/${tenant.applicationId}/webhooks`
  const body = { url: 'https://example.com/hook', event: 'build.created' }
  const created = ok(await service.call('POST', path, { key, body })).data
  assert.deepEqual([created.is_active, created.in_error_state], [true, false])
  const deactivated = await service.call('PATCH', `${path}/${created.id}`, {
    key,
    body: { is_active: false },
  })
  assert.equal(deactivated.body.data.is_active, false)
})

test('includes the build and its URLs in the response to a verify request (§4.1 POST /upload/verify, §4.5 verify response)', async () => {
  const bytes = randomBytes(100)
  const upload = await requestUpload(service, tenant, {
    primary_file: { filename: 'a.zip', size_bytes: 100 },
  })
  await put(upload.primary_file.presigned_data, bytes)
  const response = ok(await verify(service, tenant, upload.pending_upload_id))
  has({
    message: text,
    pending_processing: is(false),
    build_id: shortId,
    build_info_url: webUrl,
    download_url: webUrl,
    build: has({
      id: is(response.build_id),
      primary_file: has({ size_bytes: is(100) }),
      metadata_artifacts: is([]),
    }),
  })(response, 'response')
})

test('adds a metadata artifact to a build so that it can be listed and retrieved (§4.1 POST /upload/metadata/verify, §4.6 metadata verify, §4.1 GET /applications/{application_id}/builds/{build_id}/metadata, §4.1 GET /applications/{application_id}/builds/{build_id}/metadata/{artifact_id})', async () => {
  const key = tenant.applicationKey
  const { build } = await uploadedBuild(service, tenant)
  const input = { build_id: build.id, filename: 'report.xml', size_bytes: 10 }
  const upload = ok(await service.call('POST', '/upload/metadata/request', { key, body: input }))
  await put(upload.presigned_upload_data, randomBytes(10))
  const body = { pending_upload_id: upload.metadata_pending_upload_id }
  const response = ok(await service.call('POST', '/upload/metadata/verify', { key, body }))
  has({ message: text, metadata_artifact_id: uuid, build_id: is(build.id) })(response, 'response')
  const path = `/applications/${tenant.applicationId}/builds/${build.id}/metadata`
  const listed = ok(await service.call('GET', path, { key })).data
  const one = ok(await service.call('GET', `${path}/${response.metadata_artifact_id}`, { key })).data
  const parents = {
    build_id: build.id,
    application_id: tenant.applicationId,
    workspace_id: tenant.workspaceId,
  }
  assert.deepEqual([{ ...listed[0], ...parents }], [one])
  assert.equal(listed.length, 1)
})
