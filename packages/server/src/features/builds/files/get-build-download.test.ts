import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { storesInS3 } from '../../../../test/acceptance/test-storage.ts'
import { startService, type Service, type Tenant } from '../../../../test/harness.ts'
import { assertLateChecksums, put, requestUpload, uploadedBuild, verify } from '../../../../test/uploading.ts'

let service: Service
let tenant: Tenant
const bytes = randomBytes(2_500_000)

before(async () => {
  service = await startService()
  tenant = await service.tenant()
})
after(() => service.close())

const links = async (buildId: string) => {
  const path = `/applications/${tenant.applicationId}/builds/${buildId}/download`
  return service.call('GET', path, { key: tenant.applicationKey })
}

const get = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(url, { method, headers })
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  }
}

const digest = (algorithm: string, data: Uint8Array) => createHash(algorithm).update(data).digest('hex')

test('returns the checksums of a file and a download link that works without an API key', async () => {
  const name = 'Spiel "größe" 100%.zip'
  const fields = { primary_file: { filename: name } }
  const { build } = await uploadedBuild(service, tenant, fields, bytes)
  const { status, body } = await links(build.id)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).toSorted(), ['expires_at', 'message', 'primary_file'])
  const { temp_url, checksum_sha1, checksum_sha512, ...file } = body.primary_file
  assertLateChecksums({ checksum_sha1, checksum_sha512 }, bytes)
  assert.deepEqual(file, {
    filename: name,
    size_bytes: bytes.length,
    checksum_md5: digest('md5', bytes),
    checksum_sha256: digest('sha256', bytes),
    chunks_url: null,
    patches_url: null,
  })
  assert.ok(temp_url.startsWith(`${service.url}/storage/`))
  assert.ok(Date.parse(body.expires_at) > Date.now() + 5 * 3600_000)

  const whole = await get(temp_url)
  assert.equal(whole.status, 200)
  assert.equal(digest('sha256', whole.body), file.checksum_sha256)
  assert.equal(whole.headers.get('content-length'), String(bytes.length))
  assert.equal(whole.headers.get('accept-ranges'), 'bytes')
  if (!storesInS3) {
    assert.equal(whole.headers.get('x-content-type-options'), 'nosniff')
    assert.match(whole.headers.get('content-security-policy') ?? '', /sandbox/)
  }
  assert.match(whole.headers.get('content-disposition') ?? '', /^attachment;.*filename\*=UTF-8''Spiel%20/)
  assert.ok(whole.headers.get('etag'))
})

test('returns the download links of a build at its download_url', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const { status, body } = await service.call('GET', build.download_url, { key: tenant.workspaceKey })
  assert.equal(status, 200)
  assert.equal(body.primary_file.filename, 'app.7z')
})

test('serves a file in full or by byte range even if its parts were uploaded out of order', async () => {
  const file = { filename: 'parts.zip', size_bytes: bytes.length }
  const upload = await requestUpload(service, tenant, { primary_file: file })
  const sizes = [1_000_000, 1_000_000, 500_000]
  const chunks = []
  for (const number of [3, 1, 2]) {
    const start = (number - 1) * 1_000_000
    const part = bytes.subarray(start, start + sizes[number - 1]!)
    const input = {
      pending_upload_id: upload.pending_upload_id,
      part_number: number,
      content_length: part.length,
    }
    const signed = await service.call('POST', '/upload/request/multipart', {
      key: tenant.applicationKey,
      body: input,
    })
    const { etag } = await put(signed.body.part_presigned_url, part)
    chunks.push({ PartNumber: number, ETag: etag })
  }
  const verified = await verify(service, tenant, upload.pending_upload_id, chunks)
  assert.equal(verified.status, 200, verified.text)
  const { temp_url } = (await links(verified.body.build_id)).body.primary_file
  assert.ok((await get(temp_url)).body.equals(bytes))
  const last = bytes.length - 1
  for (const [range, from, to] of [
    ['bytes=0-0', 0, 0],
    ['bytes=999999-1000000', 999_999, 1_000_000],
    ['bytes=500000-2200000', 500_000, 2_200_000],
    ['bytes=2499999-', last, last],
    ['bytes=-7', last - 6, last],
    ['bytes=-99999999', 0, last],
    ['bytes=2000000-99999999', 2_000_000, last],
  ] as [string, number, number][]) {
    const { status, headers, body } = await get(temp_url, { range })
    assert.equal(status, 206, range)
    assert.equal(headers.get('content-range'), `bytes ${from}-${to}/${bytes.length}`)
    assert.ok(body.equals(bytes.subarray(from, to + 1)), range)
  }
  const past = await get(temp_url, { range: `bytes=${bytes.length}-` })
  assert.equal(past.status, 416)
  if (!storesInS3) assert.equal(past.headers.get('content-range'), `bytes */${bytes.length}`)
  for (const range of ['bytes=5-1', 'chars=0-1', 'bytes=a-b'])
    assert.ok(storesInS3 || [200, 416].includes((await get(temp_url, { range })).status), range)
  const head = await get(temp_url, {}, 'HEAD')
  assert.deepEqual(
    [head.status, head.headers.get('content-length'), head.body.length],
    [200, String(bytes.length), 0],
  )
})

test('rejects a download link if any query parameter is changed or missing', async () => {
  const { build } = await uploadedBuild(service, tenant)
  const other = await uploadedBuild(service, tenant)
  const url = new URL((await links(build.id)).body.primary_file.temp_url)
  const otherUrl = new URL((await links(other.build.id)).body.primary_file.temp_url)
  assert.equal((await get(url.href)).status, 200)
  for (const name of url.searchParams.keys()) {
    const changed = new URL(url)
    changed.searchParams.set(name, `${url.searchParams.get(name)}1`)
    assert.equal((await get(changed.href)).status, 403, name)
    changed.searchParams.delete(name)
    assert.equal((await get(changed.href)).status, 403, name)
  }
  otherUrl.search = url.search
  assert.equal((await get(otherUrl.href)).status, 403)
  for (const method of ['PUT', 'DELETE', 'POST'])
    assert.ok((await get(url.href, {}, method)).status >= 400, method)
})
