import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Agent as HttpAgent, ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Agent as HttpsAgent } from 'node:https'
import { FileChanged } from './local-file.ts'
import type { LocalFile } from './local-file.ts'

/** Connections that are kept open, and buffers that are used again. */
export type Agents = { http: HttpAgent; https: HttpsAgent; slabs: Buffer[] }

export type PutRange = {
  url: string
  headers: Record<string, string>
  file: LocalFile
  start: number
  sizeBytes: number
  agents: Agents
  signal: AbortSignal
  /** Bytes handed to the network since the last call. */
  onBytes: (bytes: number) => void
}

/** `md5` is that of the bytes sent, '' when the storage answered before it had all of them. */
export type PutAnswer = {
  status: number
  etag: string
  md5: string
  message: string
  retryAfter: string | null
  encrypted: boolean
}

const slabBytes = 1024 * 1024
const slabCount = 3
const silentMs = 60_000
// After the last byte the storage may have gigabytes to flush.
const answerMs = 15 * 60_000

/** PUTs a range of a file, reading ahead while the network takes what is read. Rejects on network failures. */
export async function putRange(put: PutRange): Promise<PutAnswer> {
  const url = new URL(put.url)
  const secure = url.protocol === 'https:'
  const request = (secure ? httpsRequest : httpRequest)(url, {
    method: 'PUT',
    headers: { ...put.headers, 'content-length': put.sizeBytes },
    agent: secure ? put.agents.https : put.agents.http,
    signal: put.signal,
  })
  request.setTimeout(silentMs, () =>
    request.destroy(new Error(`no byte went through for ${silentMs / 1000} s`)),
  )
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  // The answer or the failure may come while bytes are still being read; it is looked at below.
  answered.catch(() => {})
  try {
    const md5 = await sendBytes(request, put, answered)
    const [response] = await answered
    return await readAnswer(response, md5)
  } finally {
    if (!request.closed) request.destroy()
  }
}

async function sendBytes(request: ClientRequest, put: PutRange, answered: Promise<unknown>): Promise<string> {
  const slabs = Array.from({ length: Math.min(slabCount, Math.ceil(put.sizeBytes / slabBytes)) }, () => ({
    buffer: put.agents.slabs.pop() ?? Buffer.allocUnsafe(slabBytes),
    free: Promise.resolve(),
  }))
  const hash = createHash('md5')
  let over = false
  const ended = answered.then(
    () => void (over = true),
    () => void (over = true),
  )
  for (let sent = 0; sent < put.sizeBytes;) {
    const slab = slabs.shift()
    if (!slab) throw new Error('no buffer to read into')
    await Promise.race([slab.free, ended])
    if (over) return ''
    const length = Math.min(slabBytes, put.sizeBytes - sent)
    const { bytesRead } = await put.file.handle.read(slab.buffer, 0, length, put.start + sent)
    if (bytesRead === 0) throw new FileChanged(put.file.path)
    const bytes = slab.buffer.subarray(0, bytesRead)
    hash.update(bytes)
    slab.free = new Promise((resolve) => {
      request.write(bytes, (error) => {
        if (!error) put.onBytes(bytesRead)
        resolve()
      })
    })
    slabs.push(slab)
    sent += bytesRead
  }
  request.setTimeout(answerMs)
  request.end()
  const md5 = hash.digest('hex')
  await Promise.race([Promise.all(slabs.map(({ free }) => free)), ended])
  // Buffers of a transfer that broke may still be on their way: only these are free for certain.
  if (!over) put.agents.slabs.push(...slabs.map(({ buffer }) => buffer))
  return md5
}

async function readAnswer(response: IncomingMessage, md5: string): Promise<PutAnswer> {
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
    message: messageOf(Buffer.concat(chunks).toString()),
    retryAfter: response.headers['retry-after'] ?? null,
    encrypted: encryption !== undefined && encryption !== 'AES256',
  }
}

/** What the storage says: `message` of a JSON answer, `<Message>` of an S3 one. */
function messageOf(body: string): string {
  const xml = /<Message>([^<]*)<\/Message>/.exec(body)?.[1]
  if (xml !== undefined) return xml
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && 'message' in value) return String(value.message)
  } catch {
    // Not JSON: the status says enough.
  }
  return ''
}
