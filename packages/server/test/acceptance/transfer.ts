import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expectOk, type Client } from './client.ts'
import { contentPieces } from './content.ts'

/** Sends a range of a seed's content in pieces and returns its ETag. Throws unless the status is 200. */
export async function sendContent(
  url: string,
  seed: number,
  start: number,
  sizeBytes: number,
  headers: Record<string, string> = {},
): Promise<string> {
  const sending = request(url, { method: 'PUT', headers: { 'Content-Length': sizeBytes, ...headers } })
  const responded = once(sending, 'response') as Promise<[IncomingMessage]>
  for (const piece of contentPieces(seed, start, sizeBytes))
    if (!sending.write(piece)) await Promise.race([once(sending, 'drain'), responded])
  sending.end()
  const [response] = await responded
  if (response.statusCode !== 200) throw new Error(`the PUT got ${response.statusCode}`)
  response.resume()
  return response.headers.etag ?? ''
}

const partBytes = 16 * 1024 * 1024

/**
 * Uploads content generated from a seed as a build in parts of 16 MiB, with `senders` concurrent PUTs. Returns the
 * verify response.
 */
export async function uploadInParts(
  client: Client,
  applicationId: string,
  { seed, sizeBytes, senders }: { seed: number; sizeBytes: number; senders: number },
) {
  const primary_file = { filename: 'parts.bin', size_bytes: sizeBytes }
  const { pending_upload_id: id } = expectOk(await client.request(applicationId, { primary_file }))
  const numbers = Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, index) => index + 1)
  const list: { PartNumber: number; ETag: string }[] = []
  const sender = async () => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
      const start = (number - 1) * partBytes
      const length = Math.min(partBytes, sizeBytes - start)
      const { part_presigned_url: url } = expectOk(await client.part(id, number, length))
      list.push({ PartNumber: number, ETag: await sendContent(url, seed, start, length) })
    }
  }
  await Promise.all(Array.from({ length: senders }, sender))
  return expectOk(await client.verify(id, { multipart_chunks: list }))
}

/** Downloads a file or a range of it and returns its SHA-256; `pauseMs` simulates a slow client. */
export async function hashOfDownload(
  url: string,
  { range, pauseMs = 0 }: { range?: { start: number; end: number }; pauseMs?: number } = {},
): Promise<string> {
  const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
  const sent = request(url, { headers, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const expected = range === undefined ? 200 : 206
  if (response.statusCode !== expected) throw new Error(`the GET got ${response.statusCode}, not ${expected}`)
  const hash = createHash('sha256')
  for await (const chunk of response as AsyncIterable<Buffer>) {
    hash.update(chunk)
    if (pauseMs > 0) await pause(pauseMs)
  }
  return hash.digest('hex')
}

export function hashOfContent(seed: number, start: number, sizeBytes: number): string {
  const hash = createHash('sha256')
  for (const piece of contentPieces(seed, start, sizeBytes)) hash.update(piece)
  return hash.digest('hex')
}

const offsets = Array.from({ length: 999 }, (_, index) => 500e9 + index * 1e6)
/** A Range header as large as those of electron-updater. Only its first range, of 10 bytes, is in the files of the tests. */
export const largeRange = `bytes=0-9,${offsets.map((start) => `${start}-${start + 999}`).join(',')}`
