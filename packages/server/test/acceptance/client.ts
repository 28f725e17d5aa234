import { setTimeout as pause } from 'node:timers/promises'

export type Answer<T> = { status: number; headers: Headers; text: string; body: T }
export type Failure = { message: string; code?: string; errors?: Record<string, string[]> }
export type Client = ReturnType<typeof createClient>

export type FileToSend = {
  filename: string
  presigned_data: { url: string; headers: Record<string, string> }
  chunked_upload: boolean
  chunked_number_parts: number | null
  chunked_part_size_mb: number | null
}
export type RequestedUpload = {
  pending_upload_id: string
  primary_file: FileToSend
  expansion_files: FileToSend[]
}
export type FileRecord = {
  id: string
  filename: string
  size_bytes: number
  checksum_md5: string
  checksum_sha256: string
}
export type Build = {
  id: string
  build_number: string
  size_total_bytes: number
  labels: { id: string; name: string }[]
}
export type FullBuild = Build & { primary_file: FileRecord; expansion_files: FileRecord[] }
export type Verified = { build_id: string; pending_processing: boolean; build: FullBuild }
export type UploadStatus = {
  state: string
  files: {
    role: string
    stored: boolean
    etag: string | null
    parts: { part_number: number; etag: string; size_bytes: number }[]
  }[]
}
export type Download = { primary_file: { temp_url: string }; expansion_files?: { temp_url: string }[] }
type Page<T> = { data: T[]; pagination: { total: number; last_page: number } }

/** Speaks to a service as a CI script would: one request a call, nothing repeated, every answer handed back. */
export function createClient({ url, key }: { url: string; key: string }) {
  async function call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) as T }
  }

  return {
    call,
    withKey: (other: string) => createClient({ url, key: other }),
    createApplication: (name: string, platforms = ['linux', 'android']) =>
      call<{ data: { id: string } }>('POST', '/applications', { name, platforms }),
    request: (applicationId: string, fields: Record<string, unknown>) =>
      call<RequestedUpload>('POST', '/upload/request', {
        ...usualUpload,
        application_id: applicationId,
        ...fields,
      }),
    part: (
      id: string,
      part_number: number | string,
      content_length: number | string,
      file: 'primary' | 'expansion' = 'primary',
    ) =>
      call<{ part_presigned_url: string }>(
        'POST',
        `/upload/request/multipart${file === 'primary' ? '' : '/expansion'}`,
        {
          pending_upload_id: id,
          part_number,
          content_length,
        },
      ),
    status: (id: string) => call<{ data: UploadStatus }>('GET', `/upload/${id}`),
    verify: (id: string, fields: Record<string, unknown> = {}) =>
      call<Verified & Failure>('POST', '/upload/verify', { pending_upload_id: id, ...fields }),
    build: (applicationId: string, id: string) =>
      call<{ data: FullBuild }>('GET', `/applications/${applicationId}/builds/${id}`),
    download: (applicationId: string, id: string) =>
      call<Download>('GET', `/applications/${applicationId}/builds/${id}/download`),

    /** All builds of an application, page by page, and the total that the service tells. */
    async builds(applicationId: string): Promise<{ builds: Build[]; total: number }> {
      const builds: Build[] = []
      for (let page = 1; ; page++) {
        const answer = expectOk(
          await call<Page<Build>>('GET', `/applications/${applicationId}/builds?per_page=100&page=${page}`),
        )
        builds.push(...answer.data)
        if (page >= answer.pagination.last_page) return { builds, total: answer.pagination.total }
      }
    },
  }
}

const usualUpload = {
  structure: 'file',
  platform: 'linux',
  stream: 'default',
  source: 'cli-upload',
  version_component_1_major: 1,
  version_component_2_minor: 0,
  version_component_3_patch: 0,
}

/** PUTs bytes where a signed URL says, with the headers that belong to it. */
export async function put(
  signed: { url: string; headers?: Record<string, string> } | string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Answer<Failure> & { etag: string }> {
  const { url, headers = {} } = typeof signed === 'string' ? { url: signed } : signed
  // fetch counts by itself and takes no Content-Length
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Length'))
  const response = await fetch(url, {
    method: 'PUT',
    headers: sent,
    body: bytes,
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  const etag = response.headers.get('etag') ?? ''
  return { status: response.status, headers: response.headers, text, body: parsed(text) as Failure, etag }
}

export async function bytesAt(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}

/** The body of a 2xx; throws what the service said otherwise. */
export function expectOk<T>({ status, text, body }: Answer<T>): T {
  if (status >= 200 && status < 300) return body
  throw new Error(`answered ${status}: ${text}`)
}

/**
 * Does it again while the service cannot be reached or says 503, as a client in CI does; any other answer is handed
 * back. Throws when that takes too long.
 */
export async function persist<T extends { status: number }>(
  attempt: () => Promise<T>,
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const outcome = await attempt().catch((error: unknown) => {
      if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
        return error
      throw error
    })
    if (!(outcome instanceof Error) && outcome.status !== 503) return outcome
    if (performance.now() > deadline) throw new Error('the service stayed away too long', { cause: outcome })
    await pause(50)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
