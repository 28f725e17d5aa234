import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { contentPieces } from './content.ts'

/** PUTs a range of what the seed stands for, piece by piece; answers the ETag, throws unless it was stored. */
export async function sendContent(
  url: string,
  seed: number,
  start: number,
  sizeBytes: number,
): Promise<string> {
  const sending = request(url, { method: 'PUT', headers: { 'content-length': sizeBytes } })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  for (const piece of contentPieces(seed, start, sizeBytes))
    if (!sending.write(piece)) await Promise.race([once(sending, 'drain'), answered])
  sending.end()
  const [response] = await answered
  if (response.statusCode !== 200) throw new Error(`PUT answered ${response.statusCode}`)
  response.resume()
  return response.headers.etag ?? ''
}

/** GETs a URL, whole or a range of it, and answers the SHA-256 of what came; a slow client dawdles between its reads. */
export async function hashOfDownload(
  url: string,
  { range, pauseMs = 0 }: { range?: { start: number; end: number }; pauseMs?: number } = {},
): Promise<string> {
  const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
  const asking = request(url, { headers, agent: false }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const expected = range === undefined ? 200 : 206
  if (response.statusCode !== expected)
    throw new Error(`GET answered ${response.statusCode}, not ${expected}`)
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
