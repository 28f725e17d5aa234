import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { contentPieces } from './content.ts'

/** Sends a range of a seed's content in pieces and returns its ETag. Throws unless the status is 200. */
export async function sendContent(
  url: string,
  seed: number,
  start: number,
  sizeBytes: number,
): Promise<string> {
  const sending = request(url, { method: 'PUT', headers: { 'content-length': sizeBytes } })
  const responded = once(sending, 'response') as Promise<[IncomingMessage]>
  for (const piece of contentPieces(seed, start, sizeBytes))
    if (!sending.write(piece)) await Promise.race([once(sending, 'drain'), responded])
  sending.end()
  const [response] = await responded
  if (response.statusCode !== 200) throw new Error(`the PUT got ${response.statusCode}`)
  response.resume()
  return response.headers.etag ?? ''
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
