import { setTimeout as sleep } from 'node:timers/promises'
import { anySignal, networkReason, retryAfterMs, retryDelayMs } from '@quayside/sdk'
import { version } from '../../../defaults.ts'
import { Failure } from '../../../failure.ts'
import { formatDuration } from '../../../output/format.ts'
import type { Output } from '../../../output/output.ts'
import { retryAfterOf } from '../../../transfer/rate-limit.ts'

type Retrying = {
  /** Name of the service in messages. */
  service: string
  /** What to do if the service limits the rate of requests, such as setting a token. */
  rateLimitAdvice?: string
  output: Output
  signal: AbortSignal
}

export type WebRequest = Retrying & {
  method?: 'GET' | 'HEAD'
  /** Returns the URL, which may contain a signature that expires. Called for each attempt. */
  url: () => URL
  headers: Record<string, string>
}

export type WebResponse = { text: string; headers: Headers; url: URL }

/** Thrown for a response that is neither a success nor a redirect, after retries. */
export class StatusError extends Error {
  readonly status: number
  readonly headers: Headers
  readonly text: string

  constructor(status: number, headers: Headers, text: string) {
    super(`HTTP ${status}`)
    this.status = status
    this.headers = headers
    this.text = text
  }
}

const maxAttempts = 6
const maxRedirects = 5
const timeoutMs = 60_000
const maxResponseBytes = 32 * 1024 * 1024
/** A longer wait would look like a hang. The command can be resumed. */
const maxWaitMs = 900_000

/** What an attempt found, or why another one may succeed, and how long the service asks clients to wait. */
type Attempt<Found> = { found: Found } | { reason: string; retryAfter: string | null }

/** Repeats an attempt after network failures, and while the service limits the rate of requests or has an error. */
export async function retrying<Found>(
  { output, service, signal, rateLimitAdvice }: Retrying,
  attemptOnce: () => Promise<Attempt<Found>>,
): Promise<Found> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce().catch((error: unknown) => {
      signal.throwIfAborted()
      if (error instanceof Failure || error instanceof StatusError) throw error
      return { reason: networkReason(error), retryAfter: null }
    })
    if ('found' in outcome) return outcome.found
    const { reason, retryAfter } = outcome
    if (attempt >= maxAttempts)
      throw new Failure('unreachable', `Cannot read from ${service}: ${reason}. Rerun the command to resume.`)
    const delayMs = retryDelayMs(attempt - 1, null)
    const limitMs = retryAfterMs(retryAfter)
    if (limitMs > maxWaitMs) throw rateLimited(service, limitMs, rateLimitAdvice)
    output.note(
      limitMs > delayMs
        ? `${service} limits the rate of requests. Waiting ${formatDuration(limitMs / 1000)}.`
        : `${service}: ${reason}. Retrying.`,
    )
    await sleep(Math.max(delayMs, limitMs), undefined, { signal })
  }
}

function rateLimited(service: string, limitMs: number, rateLimitAdvice?: string): Failure {
  const until = new Date(Date.now() + limitMs).toISOString().slice(0, 16)
  const advice = rateLimitAdvice === undefined ? '' : `${rateLimitAdvice} `
  return new Failure(
    'unreachable',
    `${service} limits the rate of requests until ${until}Z. ${advice}Rerun the command then to resume.`,
  )
}

/**
 * Requests text from another service, and retries if that may help. Redirects are only followed within the origin, because
 * the headers may contain a token.
 */
export const requestText = (request: WebRequest): Promise<WebResponse> =>
  retrying(request, async () => {
    const { response, url } = await followRedirects(request)
    const text = await readText(response, request.service)
    if (response.ok) return { found: { text, headers: response.headers, url } }
    const retryAfter = retryAfterOf((name) => response.headers.get(name), Date.now())
    const isLimited = response.status === 429 || (response.status === 403 && retryAfter !== null)
    if (!isLimited && response.status < 500) throw new StatusError(response.status, response.headers, text)
    return { reason: `it responded with HTTP ${response.status}`, retryAfter }
  })

async function followRedirects(request: WebRequest): Promise<{ response: Response; url: URL }> {
  const { service, method = 'GET', headers, signal } = request
  let url = request.url()
  const limited = anySignal([signal, AbortSignal.timeout(timeoutMs)])
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, {
      method,
      headers: { 'user-agent': `quayside-cli/${version}`, ...headers },
      redirect: 'manual',
      signal: limited,
    })
    const location = response.headers.get('location')
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null
    if (!isRedirect) return { response, url }
    const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined
    // S3 names the region of a bucket in such a response.
    if (response.headers.has('x-amz-bucket-region')) return { response, url }
    await response.body?.cancel()
    if (target === undefined || target.origin !== url.origin)
      throw new Failure(
        'failed',
        `${service} redirects to ${target?.host || 'an invalid URL'}. If you trust it, pass it with --url.`,
      )
    if (redirects === maxRedirects)
      throw new Failure('failed', `${service} redirects in a loop. Check --url.`)
    url = target
  }
}

async function readText(response: Response, service: string): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const body: AsyncIterable<Uint8Array> | null = response.body
  if (body === null) return ''
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxResponseBytes)
      throw new Failure('failed', `A response of ${service} is larger than 32 MiB. It is not read.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
