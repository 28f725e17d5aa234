import { randomBytes } from 'node:crypto'
import type { Service, Tenant } from './harness.ts'

/** A body of /upload/request that is right; fields given replace its own. */
export function uploadBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    platform: 'linux',
    stream: 'default',
    source: 'cli-upload',
    primary_file: { filename: 'app.tar.gz', size_bytes: 1024 },
    version_component_1_major: 1,
    version_component_2_minor: 2,
    version_component_3_patch: 3,
    ...fields,
  }
}

/** Requests an upload; throws unless it is granted. */
export async function requested(service: Service, tenant: Tenant, fields: Record<string, unknown> = {}) {
  const answer = await service.call('POST', '/upload/request', {
    key: tenant.applicationKey,
    body: uploadBody(fields),
  })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

/** PUTs bytes to a signed URL as a CI client does. */
export async function put(
  signed: { url: string; headers?: Record<string, string> } | string,
  bytes: Uint8Array,
) {
  const { url, headers = {} } = typeof signed === 'string' ? { url: signed } : signed
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Length'))
  const response = await fetch(url, { method: 'PUT', headers: sent, body: Uint8Array.from(bytes) })
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

/** The whole way of one build: request, PUT, verify. Answers the full build and its bytes. */
export async function uploadedBuild(
  service: Service,
  tenant: Tenant,
  fields: Record<string, unknown> = {},
  bytes: Uint8Array = randomBytes(1024),
) {
  const primary_file = {
    filename: 'app.tar.gz',
    ...(fields['primary_file'] as object),
    size_bytes: bytes.length,
  }
  const upload = await requested(service, tenant, { ...fields, primary_file })
  const stored = await put(upload.primary_file.presigned_data, bytes)
  if (stored.status !== 200) throw new Error(stored.text)
  const answer = await verify(service, tenant, upload.pending_upload_id)
  if (answer.status !== 200) throw new Error(answer.text)
  return { build: answer.body.build, bytes, pendingUploadId: upload.pending_upload_id as string }
}
