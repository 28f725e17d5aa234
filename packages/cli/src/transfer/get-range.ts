import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Agents } from './agents.ts'

const idleTimeoutMs = 60_000

const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * Requests a URL from byte `start` onward and follows redirects, such as from the server to a bucket. The caller reads the
 * response body. Rejects on network failures.
 */
export async function getRange(
  address: string,
  start: number,
  agents: Agents,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let url = new URL(address)
  for (let redirects = 0; ; redirects++) {
    const response = await get(url, start, agents, signal)
    const { location } = response.headers
    const isRedirect = redirectStatuses.has(response.statusCode ?? 0)
    if (!isRedirect || location === undefined || redirects === maxRedirects) return response
    response.resume()
    url = new URL(location, url)
  }
}

async function get(url: URL, start: number, agents: Agents, signal: AbortSignal): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  const request = (secure ? httpsRequest : httpRequest)(url, {
    headers: start > 0 ? { range: `bytes=${start}-` } : {},
    agent: secure ? agents.https : agents.http,
    signal,
  })
  request.setTimeout(idleTimeoutMs, () =>
    request.destroy(new Error(`no data was received for ${idleTimeoutMs / 1000} s`)),
  )
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

/** Returns the file offset at which the response body starts, or undefined if the body is not file content. */
export function bodyOffset(response: IncomingMessage): number | undefined {
  if (response.statusCode === 200) return 0
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers['content-range'] ?? '')
  return response.statusCode === 206 && range ? Number(range[1]) : undefined
}
