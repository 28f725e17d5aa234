import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { version } from '../defaults.ts'
import type { Agents } from './agents.ts'
import { http, https } from './http.ts'

const idleTimeoutMs = 60_000

const maxRedirects = 5
const redirectStatuses = new Set([301, 302, 303, 307, 308])

export type RangeRequest = {
  /** Offset of the first byte. */
  start: number
  /** Offset after the last byte. Defaults to the end of the file. */
  end?: number
  /** Headers that may contain a token. They are not sent to another origin. */
  headers?: Record<string, string> | undefined
  /** Returns whether a redirect to a URL is followed. Defaults to true. */
  follows?: ((url: URL) => boolean) | undefined
  agents: Agents
  signal: AbortSignal
}

/**
 * Requests a range of a URL and follows redirects, such as from the server to a bucket. The caller reads the
 * response body. Rejects on network failures.
 */
export async function getRange(
  address: string,
  { start, end, headers = {}, follows = () => true, agents, signal }: RangeRequest,
): Promise<IncomingMessage> {
  let url = new URL(address)
  let sent = headers
  for (let redirects = 0; ; redirects++) {
    const range =
      start > 0 || end !== undefined ? { range: `bytes=${start}-${end === undefined ? '' : end - 1}` } : {}
    const response = await get(url, { ...sent, ...range }, agents, signal)
    const isRedirect = redirectStatuses.has(response.statusCode ?? 0)
    const target = isRedirect ? redirectTarget(response, url) : undefined
    if (target === undefined || !follows(target) || redirects === maxRedirects) return response
    response.resume()
    if (target.origin !== url.origin) sent = {}
    url = target
  }
}

/** Returns the URL to which a response redirects, or undefined if it is not an http or https URL. */
function redirectTarget({ headers }: IncomingMessage, base: URL): URL | undefined {
  const { location } = headers
  if (location === undefined || !URL.canParse(location, base.href)) return undefined
  const url = new URL(location, base)
  return /^https?:$/.test(url.protocol) ? url : undefined
}

async function get(
  url: URL,
  headers: Record<string, string>,
  agents: Agents,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  const request = (secure ? https : http).request(url, {
    // Some APIs, such as that of GitHub, reject requests without this header.
    headers: { 'user-agent': `quayside-cli/${version}`, ...headers },
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

/** Returns the size of the whole file that a response reports, or undefined if it reports none. */
export function reportedSize({ statusCode, headers }: IncomingMessage): number | undefined {
  if (headers['content-encoding'] !== undefined) return undefined
  const text =
    statusCode === 200
      ? headers['content-length']
      : /^bytes (?:\d+-\d+|\*)\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
  const size = Number(text ?? Number.NaN)
  return Number.isSafeInteger(size) ? size : undefined
}
