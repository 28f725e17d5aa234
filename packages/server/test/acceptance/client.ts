import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { content, sha256 } from './content.ts'
import { repeatWhile } from './repeat-while.ts'

export type ApiResponse<T> = { status: number; retryAfter: number; text: string; body: T }
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
  checksum_sha256: string | null
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

/**
 * Creates a client that returns any response, including errors. It repeats only requests that arrived too late from a busy
 * machine, which the service has not read.
 */
export function createClient({ url, key }: { url: string; key: string }) {
  async function call<T>(method: string, path: string, body?: unknown): Promise<ApiResponse<T>> {
    const isLate = (response: { status: number }) => response.status === 408
    const { status, retryAfter, text } = await repeatWhile(isLate, () =>
      send(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    return { status, retryAfter, text, body: parseJson(text) as T }
  }

  return {
    call,
    withKey: (other: string) => createClient({ url, key: other }),
    createApplication: (name: string, platforms = ['linux', 'android']) =>
      call<{ data: { id: string } }>('POST', '/applications', { name, platforms }),
    request: (applicationId: string, fields: Record<string, unknown>) =>
      call<RequestedUpload>('POST', '/upload/request', {
        ...defaultUpload,
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
        { pending_upload_id: id, part_number, content_length },
      ),
    status: (id: string) => call<{ data: UploadStatus }>('GET', `/upload/${id}`),
    verify: (id: string, fields: Record<string, unknown> = {}) =>
      call<Verified & Failure>('POST', '/upload/verify', { pending_upload_id: id, ...fields }),
    build: (applicationId: string, id: string) =>
      call<{ data: FullBuild }>('GET', `/applications/${applicationId}/builds/${id}`),
    download: (applicationId: string, id: string) =>
      call<Download>('GET', `/applications/${applicationId}/builds/${id}/download`),

    /** Returns all builds of an application and the total that the service reports. */
    async builds(applicationId: string): Promise<{ builds: Build[]; total: number }> {
      const builds: Build[] = []
      for (let page = 1; ; page++) {
        const { data, pagination } = expectOk(
          await call<Page<Build>>('GET', `/applications/${applicationId}/builds?per_page=100&page=${page}`),
        )
        builds.push(...data)
        if (page >= pagination.last_page) return { builds, total: pagination.total }
      }
    },
  }
}

const defaultUpload = {
  structure: 'file',
  platform: 'linux',
  stream: 'default',
  source: 'cli-upload',
  version_component_1_major: 1,
  version_component_2_minor: 0,
  version_component_3_patch: 0,
}

/** Sends bytes to a signed URL with the headers that were returned with it. */
export async function put(
  signed: { url: string; headers?: Record<string, string> } | string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ApiResponse<Failure> & { etag: string }> {
  const { url, headers = {} } = typeof signed === 'string' ? { url: signed } : signed
  // Some tests send more or fewer bytes than declared, so the Content-Length of the request is that of `bytes`.
  const allowed = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Length'))
  const {
    status,
    retryAfter,
    text,
    headers: received,
  } = await send(url, { method: 'PUT', headers: allowed, body: bytes })
  const etag = String(received['etag'] ?? '')
  return { status, retryAfter, text, body: parseJson(text) as Failure, etag }
}

const timeouts = { headersTimeout: 120_000, bodyTimeout: 120_000 }

/** Sends a request once. `fetch` takes twice the CPU time, and some files send thousands of requests. */
async function send(url: string, options: Parameters<typeof request>[1]) {
  const { statusCode: status, headers, body } = await request(url, { ...options, ...timeouts })
  return { status, retryAfter: Number(headers['retry-after'] ?? 0), headers, text: await body.text() }
}

export async function bytesAt(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const { statusCode, body } = await request(url, { headers, ...timeouts })
  if (statusCode !== 200 && statusCode !== 206) throw new Error(`${statusCode} ${await body.text()}`)
  return Buffer.from(await body.arrayBuffer())
}

/** Returns the body of a 2xx response. Throws for any other status. */
export function expectOk<T>({ status, text, body }: ApiResponse<T>): T {
  if (status >= 200 && status < 300) return body
  throw new Error(`expected 2xx, got ${status}: ${text}`)
}

/** Creates an application, uploads a build, and asserts that the build is listed and can be downloaded unchanged. */
export async function uploadAndDownload(
  { client }: { client: Client },
  applicationName: string,
): Promise<void> {
  const { data: application } = expectOk(await client.createApplication(applicationName))
  const bytes = content(1, 0, 100_000)
  const upload = expectOk(
    await client.request(application.id, { primary_file: { filename: 'app.bin', size_bytes: bytes.length } }),
  )
  assert.equal((await put(upload.primary_file.presigned_data, bytes)).status, 200)
  const { build_id } = expectOk(await client.verify(upload.pending_upload_id))
  assert.equal((await client.builds(application.id)).total, 1)
  const { primary_file } = expectOk(await client.download(application.id, build_id))
  assert.equal(sha256(await bytesAt(primary_file.temp_url)), sha256(bytes))
}

/**
 * Retries while the service is unreachable or responds 503, as a CI client does, and returns any other response.
 * Throws after a timeout.
 */
export async function retryWhileUnavailable<T extends { status: number }>(
  attempt: () => Promise<T>,
  withinMs = 120_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const outcome = await attempt().catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && isConnectionError(String(error.code))) return error
      throw error
    })
    if (!(outcome instanceof Error) && outcome.status !== 503) return outcome
    if (performance.now() > deadline)
      throw new Error('the service was unavailable for too long', { cause: outcome })
    await pause(50)
  }
}

const isConnectionError = (code: string): boolean =>
  /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_(SOCKET|\w+_TIMEOUT))$/.test(code)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
