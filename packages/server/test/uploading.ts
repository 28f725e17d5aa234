import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { newRangesOf, type ComposedRange } from '@quayside/sdk/composition'
import type { Service, Tenant } from './harness.ts'

export const versionOf = (major: number, minor = 0, patch = 0) => ({
  version_component_1_major: major,
  version_component_2_minor: minor,
  version_component_3_patch: patch,
})

/** Returns a valid body for /upload/request, with its values overridden by `fields`. */
export function uploadBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    platform: 'linux',
    stream: 'default',
    source: 'cli-upload',
    primary_file: { filename: 'app.7z', size_bytes: 1024 },
    ...versionOf(1, 2, 3),
    ...fields,
  }
}

/** Requests an upload. Throws if the request fails. */
export async function requestUpload(service: Service, tenant: Tenant, fields: Record<string, unknown> = {}) {
  const response = await service.call('POST', '/upload/request', {
    key: tenant.applicationKey,
    body: uploadBody(fields),
  })
  if (response.status !== 200) throw new Error(response.text)
  return response.body
}

/** Sends bytes to a signed URL as a CI client does. */
export async function put(
  signed: { url: string; headers?: Record<string, string> } | string,
  bytes: Uint8Array,
) {
  const { url, headers = {} } = typeof signed === 'string' ? { url: signed } : signed
  const allowed = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Length'))
  const response = await fetch(url, { method: 'PUT', headers: allowed, body: Uint8Array.from(bytes) })
  return { status: response.status, etag: response.headers.get('etag') ?? '', text: await response.text() }
}

export function verify(
  service: Service,
  tenant: Tenant,
  pendingUploadId: string,
  multipart_chunks?: unknown,
) {
  const body = {
    pending_upload_id: pendingUploadId,
    ...(multipart_chunks === undefined ? {} : { multipart_chunks }),
  }
  return service.call('POST', '/upload/verify', { key: tenant.applicationKey, body })
}

/** Uploads a build (request, PUT, verify) and returns the build and its bytes. */
export async function uploadedBuild(
  service: Service,
  tenant: Tenant,
  fields: Record<string, unknown> = {},
  bytes: Uint8Array = randomBytes(1024),
) {
  const primary_file = {
    filename: 'app.7z',
    ...(fields['primary_file'] as object),
    size_bytes: bytes.length,
  }
  const upload = await requestUpload(service, tenant, { ...fields, primary_file })
  const stored = await put(upload.primary_file.presigned_data, bytes)
  if (stored.status !== 200) throw new Error(stored.text)
  const expansions = (fields['expansion_files'] ?? []) as { size_bytes: number }[]
  for (const [index, { size_bytes }] of expansions.entries())
    await put(upload.expansion_files[index].presigned_data, randomBytes(size_bytes))
  const response = await verify(service, tenant, upload.pending_upload_id)
  if (response.status !== 200) throw new Error(response.text)
  return { build: response.body.build, bytes, pendingUploadId: upload.pending_upload_id as string }
}

/** Asserts that each of the checksums that a job adds after the upload is either absent or that of the bytes. */
export function assertLateChecksums(
  { checksum_sha1, checksum_sha512 }: { checksum_sha1: string | null; checksum_sha512: string | null },
  bytes: Uint8Array,
): void {
  const digest = (algorithm: string) => createHash(algorithm).update(bytes).digest('hex')
  assert.ok([null, digest('sha1')].includes(checksum_sha1), `${checksum_sha1}`)
  assert.ok([null, digest('sha512')].includes(checksum_sha512), `${checksum_sha512}`)
}

/** Saves the composition of an upload whose bytes are all new. */
export const composeNewBytes = (
  service: Service,
  { applicationKey: key }: Tenant,
  id: string,
  size_bytes: number,
) =>
  service.call('PUT', `/upload/${id}/composition`, {
    key,
    body: { checksum_sha256: '0'.repeat(64), ranges: [{ size_bytes }] },
  })

type Source = { build: { primary_file: { id: string } }; bytes: Uint8Array }

/** Uploads a build with 10 bytes more in its middle than another one, of which only these bytes are sent. */
export function composedBuild(service: Service, tenant: Tenant, source: Source, fields: object = {}) {
  const half = Math.floor(source.bytes.length / 2)
  const added = randomBytes(10)
  const bytes = Buffer.concat([source.bytes.subarray(0, half), added, source.bytes.subarray(half)])
  const file_id = source.build.primary_file.id
  const ranges = [
    { file_id, offset: 0, size_bytes: half },
    { size_bytes: added.length },
    { file_id, offset: half, size_bytes: source.bytes.length - half },
  ]
  return uploadedRanges(service, tenant, bytes, ranges, { filename: 'composed.bin', ...fields })
}

/** Uploads a build that consists of ranges of other builds and of new bytes. */
export async function uploadedRanges(
  service: Service,
  tenant: Tenant,
  bytes: Uint8Array,
  ranges: readonly ComposedRange[],
  { filename = 'composed.zip', ...fields }: { filename?: string } = {},
) {
  const primary_file = { filename, size_bytes: bytes.length }
  const upload = { ...versionOf(3), ...fields, primary_file }
  const { pending_upload_id } = await requestUpload(service, tenant, upload)
  const checksum_sha256 = createHash('sha256').update(bytes).digest('hex')
  const response = await service.call('PUT', `/upload/${pending_upload_id}/composition`, {
    key: tenant.applicationKey,
    body: { checksum_sha256, ranges },
  })
  assert.equal(response.status, 200, response.text)
  const added = newRangesOf(ranges).map(({ start, sizeBytes }) => bytes.subarray(start, start + sizeBytes))
  assert.equal((await put(response.body.data.presigned_data, Buffer.concat(added))).status, 200)
  const { status, body, text } = await verify(service, tenant, pending_upload_id)
  assert.equal(status, 200, text)
  return { build: body.build, bytes }
}

/** Uploads a build in two parts and verifies it. */
export async function uploadedInParts(service: Service, tenant: Tenant) {
  const parts = [Buffer.alloc(5 * 1024 * 1024, 'first'), Buffer.from('the second part')]
  const bytes = Buffer.concat(parts)
  const primary_file = { filename: 'parts.bin', size_bytes: bytes.length }
  const upload = await requestUpload(service, tenant, { primary_file, ...versionOf(2) })
  for (const [index, part] of parts.entries()) {
    const { body } = await service.call('POST', '/upload/request/multipart', {
      key: tenant.applicationKey,
      body: {
        pending_upload_id: upload.pending_upload_id,
        part_number: index + 1,
        content_length: part.length,
      },
    })
    assert.equal((await put(body.part_presigned_url, part)).status, 200)
  }
  const { status, body, text: response } = await verify(service, tenant, upload.pending_upload_id)
  assert.equal(status, 200, response)
  return { build: body.build, bytes }
}
