import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { bufferBytes } from './agents.ts'
import type { Agents } from './agents.ts'
import { http, https } from './http.ts'
import { FileChangedError } from './local-file.ts'
import type { LocalFile } from './local-file.ts'

export type PutRange = {
  url: string
  headers: Record<string, string>
  file: LocalFile
  start: number
  sizeBytes: number
  agents: Agents
  signal: AbortSignal
  /** Called with the number of bytes sent since the previous call. */
  onBytes: (bytes: number) => void
}

export type PutResponse = {
  status: number
  etag: string
  /** MD5 of the sent bytes, or empty if the storage server responded before it received all of them. */
  md5: string
  message: string
  retryAfter: string | null
  encrypted: boolean
}

const bufferCount = 3
const idleTimeoutMs = 60_000
// The storage server may need minutes to flush gigabytes to disk after the last byte arrives.
const responseTimeoutMs = 15 * 60_000

/** PUTs a range of a file and reads ahead while earlier bytes are being sent. Rejects on network failures. */
export async function putRange(put: PutRange): Promise<PutResponse> {
  const url = new URL(put.url)
  const secure = url.protocol === 'https:'
  const request = (secure ? https : http).request(url, {
    method: 'PUT',
    headers: { ...put.headers, 'content-length': put.sizeBytes },
    agent: secure ? put.agents.https : put.agents.http,
    signal: put.signal,
  })
  request.setTimeout(idleTimeoutMs, () =>
    request.destroy(new Error(`no data was sent for ${idleTimeoutMs / 1000} s`)),
  )
  const responded = once(request, 'response') as Promise<[IncomingMessage]>
  // A response or an error may arrive while bytes are still being sent. Both are handled below.
  responded.catch(() => {})
  try {
    const md5 = await sendBytes(request, put, responded)
    const [response] = await responded
    return await readResponse(response, md5)
  } finally {
    if (!request.closed) request.destroy()
  }
}

async function sendBytes(
  request: ClientRequest,
  put: PutRange,
  responded: Promise<unknown>,
): Promise<string> {
  const { buffers, hashes } = put.agents
  const slots = Array.from({ length: Math.min(bufferCount, Math.ceil(put.sizeBytes / bufferBytes)) }, () => ({
    buffer: buffers.take(),
    /** Resolves when the bytes in the buffer have been sent and hashed. */
    free: Promise.resolve<unknown>(undefined),
  }))
  const hashing = hashes.start('md5', put.sizeBytes)
  let hasEnded = false
  const end = () => void (hasEnded = true)
  const ended = responded.then(end, end)
  for (let sent = 0; sent < put.sizeBytes;) {
    const slot = slots.shift()
    if (!slot) throw new Error('no buffer is available')
    await Promise.race([slot.free, ended])
    if (hasEnded) {
      hashing.discard()
      return ''
    }
    const length = Math.min(bufferBytes, put.sizeBytes - sent)
    const { bytesRead } = await put.file.handle.read(slot.buffer.bytes, 0, length, put.start + sent)
    if (bytesRead === 0) throw new FileChangedError(put.file.path)
    const written = new Promise<void>((resolve) => {
      request.write(slot.buffer.bytes.subarray(0, bytesRead), (error) => {
        if (!error) put.onBytes(bytesRead)
        resolve()
      })
    })
    slot.free = Promise.all([written, hashing.update(slot.buffer.memory, bytesRead)])
    slot.free.catch(() => {})
    slots.push(slot)
    sent += bytesRead
  }
  request.setTimeout(responseTimeoutMs)
  request.end()
  const md5 = await hashing.digest()
  await Promise.race([Promise.all(slots.map(({ free }) => free)), ended])
  // If the request ended early, the socket may still be using some buffers.
  if (!hasEnded) for (const { buffer } of slots) buffers.give(buffer)
  return md5
}

async function readResponse(response: IncomingMessage, md5: string): Promise<PutResponse> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= 65_536) chunks.push(chunk)
  }
  const encryption = response.headers['x-amz-server-side-encryption']
  return {
    status: response.statusCode ?? 0,
    etag: (response.headers.etag ?? '').replaceAll(/^(W\/)?"|"$/g, ''),
    md5,
    message: readMessage(Buffer.concat(chunks).toString()),
    retryAfter: response.headers['retry-after'] ?? null,
    encrypted: encryption !== undefined && encryption !== 'AES256',
  }
}

/** Returns the message of an error response: `message` from a JSON body or `<Message>` from an S3 body. */
function readMessage(body: string): string {
  const xml = /<Message>([^<]*)<\/Message>/.exec(body)?.[1]
  if (xml !== undefined) return xml
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message)
  } catch {
    // The body is not JSON.
  }
  return ''
}
