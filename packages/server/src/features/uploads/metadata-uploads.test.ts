import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startService, type Service, type Tenant } from '../../../test/harness.ts'
import { put, requestUpload, uploadedBuild, verify } from '../../../test/uploading.ts'

let service: Service
let tenant: Tenant

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const post = (path: string, body: unknown) => service.call('POST', path, { key: tenant.applicationKey, body })

test('creates only one artifact when a metadata upload is verified twice', async () => {
  const { build, pendingUploadId } = await uploadedBuild(service, tenant)
  const bytes = randomBytes(77)
  for (const target of [{ build_id: build.id }, { primary_pending_upload_id: pendingUploadId }]) {
    const metadataUpload = await post('/upload/metadata/request', {
      ...target,
      filename: 'report.json',
      size_bytes: 77,
    })
    assert.equal(metadataUpload.status, 200, metadataUpload.text)
    const id = metadataUpload.body.metadata_pending_upload_id
    assert.equal((await post('/upload/metadata/verify', { pending_upload_id: id })).status, 400)
    assert.equal((await put(metadataUpload.body.presigned_upload_data, bytes)).status, 200)
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

test('recognizes SBOMs and test reports by their content', async () => {
  const { build } = await uploadedBuild(service, tenant)
  for (const [content, format] of [
    ['{"bomFormat": "CycloneDX", "specVersion": "1.6"}', 'cyclonedx'],
    ['<?xml version="1.0"?><testsuites/>', 'junit'],
    ['{"coverage": 93}', null],
  ] as const) {
    const bytes = Buffer.from(content)
    const { body } = await post('/upload/metadata/request', {
      build_id: build.id,
      filename: 'report',
      size_bytes: bytes.length,
    })
    await put(body.presigned_upload_data, bytes)
    const verified = await post('/upload/metadata/verify', {
      pending_upload_id: body.metadata_pending_upload_id,
    })
    const path = `/applications/${tenant.applicationId}/builds/${build.id}/metadata/${verified.body.metadata_artifact_id}`
    const artifact = await service.call('GET', path, { key: tenant.applicationKey })
    assert.equal(artifact.body.data.format, format, content)
  }
})

test('returns 400 when a metadata upload is verified before its build upload', async () => {
  const upload = await requestUpload(service, tenant)
  const metadataUpload = await post('/upload/metadata/request', {
    primary_pending_upload_id: upload.pending_upload_id,
    filename: 'log.txt',
    size_bytes: 3,
  })
  assert.equal(metadataUpload.status, 200, metadataUpload.text)
  await put(metadataUpload.body.presigned_upload_data, Buffer.from('abc'))
  const body = { pending_upload_id: metadataUpload.body.metadata_pending_upload_id }
  assert.equal((await post('/upload/metadata/verify', body)).status, 400)
  await put(upload.primary_file.presigned_data, randomBytes(1024))
  await verify(service, tenant, upload.pending_upload_id)
  assert.equal((await post('/upload/metadata/verify', body)).status, 200)
})

test('limits a build to 25 metadata artifacts, even under concurrent verify requests', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const uploads = await Promise.all(
    Array.from({ length: 27 }, (_, n) =>
      post('/upload/metadata/request', { build_id: build.id, filename: `r${n}.txt`, size_bytes: 1 }),
    ),
  )
  for (const upload of uploads) await put(upload.body.presigned_upload_data, Buffer.from('x'))
  const responses = await Promise.all(
    uploads.map(({ body }) =>
      post('/upload/metadata/verify', { pending_upload_id: body.metadata_pending_upload_id }),
    ),
  )
  assert.equal(responses.filter((response) => response.status === 200).length, 25)
  assert.equal(responses.filter((response) => response.status === 400).length, 2)
})

test('rejects a metadata upload request whose build and pending upload do not match', async () => {
  const [one, other] = [await uploadedBuild(service, tenant), await uploadedBuild(service, tenant)]
  const request = (target: object) =>
    service.call('POST', '/upload/metadata/request', {
      key: tenant.applicationKey,
      body: { ...target, filename: 'report.xyz', size_bytes: 5 },
    })
  const [build_id, primary_pending_upload_id] = [one.build.id, one.pendingUploadId]
  assert.equal((await request({ build_id, primary_pending_upload_id })).status, 200)
  const mixed = await request({ build_id, primary_pending_upload_id: other.pendingUploadId })
  assert.equal(mixed.status, 422)
  assert.ok('primary_pending_upload_id' in mixed.body.errors)
  const path = `/applications/${tenant.applicationId}/builds/${one.build.id}`
  await service.call('DELETE', path, { key: tenant.applicationKey })
  for (const target of [{ build_id }, { primary_pending_upload_id }, { build_id, primary_pending_upload_id }])
    assert.equal((await request(target)).status, 404, JSON.stringify(target))
})

test('accepts metadata artifacts of any file type', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const requested = await service.call('POST', '/upload/metadata/request', {
    key: tenant.applicationKey,
    body: { build_id: build.id, filename: 'symbols.xyz', size_bytes: 3 },
  })
  assert.equal(requested.status, 200, requested.text)
  await put(requested.body.presigned_upload_data, Buffer.from('abc'))
  await service.call('POST', '/upload/metadata/verify', {
    key: tenant.applicationKey,
    body: { pending_upload_id: requested.body.metadata_pending_upload_id },
  })
  const { body } = await service.call(
    'GET',
    `/applications/${tenant.applicationId}/builds/${build.id}/metadata`,
    {
      key: tenant.applicationKey,
    },
  )
  assert.deepEqual(body.data[0].metadata_filetype, {
    identifier: 'unknown',
    name: 'Unknown',
    extension: null,
  })
})

type Parts = { id: string; etags: string[] }

/** Requests the URL of each part and sends the part. */
async function sendParts(id: string, parts: readonly Buffer[], numbers = parts.map((_, index) => index + 1)) {
  const sent: Parts = { id, etags: [] }
  for (const [index, bytes] of parts.entries()) {
    const body = { pending_upload_id: id, part_number: numbers[index], content_length: bytes.length }
    const { body: part, text } = await post('/upload/request/multipart', body)
    assert.ok(part.part_presigned_url, text)
    sent.etags.push((await put(part.part_presigned_url, bytes)).etag)
  }
  return sent
}

const listOf = (etags: string[]) => etags.map((ETag, index) => ({ PartNumber: index + 1, ETag }))

async function artifactOf(buildId: string, artifactId: string) {
  const path = `/applications/${tenant.applicationId}/builds/${buildId}/metadata/${artifactId}`
  return (await service.call('GET', path, { key: tenant.applicationKey })).body.data
}

test('uploads an artifact in parts, resumes it, and verifies it with or without a list of parts', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const parts = [randomBytes(5 * 1024 * 1024), randomBytes(1234)]
  const whole = Buffer.concat(parts)
  for (const isListed of [true, false]) {
    const { body: request } = await post('/upload/metadata/request', {
      build_id: build.id,
      filename: 'symbols.bin',
      size_bytes: whole.length,
    })
    assert.equal(request.chunked_upload, false)
    const id = request.metadata_pending_upload_id
    const first = await sendParts(id, parts.slice(0, 1))
    const status = await service.call('GET', `/upload/${id}`, { key: tenant.applicationKey })
    assert.deepEqual(
      status.body.data.files.map((file: { role: string; parts: { part_number: number }[] }) => [
        file.role,
        file.parts.map(({ part_number }) => part_number),
      ]),
      [['metadata', [1]]],
    )
    const early = await post('/upload/metadata/verify', { pending_upload_id: id })
    assert.equal(early.body.code, 'upload.incomplete')
    const second = await sendParts(id, parts.slice(1), [2])
    const etags = [...first.etags, ...second.etags]
    const wrong = { pending_upload_id: id, multipart_chunks: listOf(etags.toReversed()) }
    assert.equal((await post('/upload/metadata/verify', wrong)).status, 400)
    const verified = await post('/upload/metadata/verify', {
      pending_upload_id: id,
      ...(isListed ? { multipart_chunks: listOf(etags) } : {}),
    })
    assert.equal(verified.status, 200, verified.text)
    const artifact = await artifactOf(build.id, verified.body.metadata_artifact_id)
    assert.equal(artifact.checksum_sha256, createHash('sha256').update(whole).digest('hex'))
    assert.equal(artifact.size_bytes, whole.length)
  }
})

test('recommends parts for large artifacts, accepts up to 2 GiB, and deletes the parts of an aborted one', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const request = (size_bytes: number) =>
    post('/upload/metadata/request', { build_id: build.id, filename: 'App.dSYM.zip', size_bytes })
  const maxBytes = 2 * 1024 ** 3
  assert.equal((await request(maxBytes + 1)).status, 422)
  const { body: large } = await request(maxBytes)
  assert.equal(large.chunked_upload, true)
  assert.ok(large.chunked_number_parts * large.chunked_part_size_mb * 1024 * 1024 >= maxBytes)
  assert.match(large.presigned_upload_data.url, /^http/)
  const id = large.metadata_pending_upload_id
  await sendParts(id, [randomBytes(1000)])
  const expansion = { pending_upload_id: id, part_number: 1, content_length: 10 }
  const refused = await post('/upload/request/multipart/expansion', expansion)
  assert.equal(refused.body.code, 'upload.no_such_file')
  assert.equal((await post('/upload/abort', { pending_upload_id: id })).status, 200)
  const { object_key: key, multipart_id } = await service.deps.db
    .selectFrom('pending_upload_files')
    .select(['object_key', 'multipart_id'])
    .where('pending_upload_id', '=', id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(await service.deps.storage.listStaged(key, multipart_id ?? ''), [])
})
