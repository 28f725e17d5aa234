import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Agents } from './put-range.ts'

const silentMs = 60_000

/** GETs a URL from a byte on; the answer's body is for the caller to read. Rejects on network failures. */
export async function getRange(
  address: string,
  start: number,
  agents: Agents,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(address)
  const secure = url.protocol === 'https:'
  const request = (secure ? httpsRequest : httpRequest)(url, {
    headers: start > 0 ? { range: `bytes=${start}-` } : {},
    agent: secure ? agents.https : agents.http,
    signal,
  })
  request.setTimeout(silentMs, () => request.destroy(new Error(`no byte came for ${silentMs / 1000} s`)))
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

/** Where the body of an answer begins in the file; undefined when the answer has no such bytes. */
export function startOfBody(response: IncomingMessage): number | undefined {
  if (response.statusCode === 200) return 0
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers['content-range'] ?? '')
  return response.statusCode === 206 && range ? Number(range[1]) : undefined
}
