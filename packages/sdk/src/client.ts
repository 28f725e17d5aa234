import { errorOfAnswer, QuaysideError, QuaysideUnreachableError } from './errors.ts'
import { operations } from './generated/api.ts'
import type { Operations } from './generated/api.ts'
import { mayRetryFailure, mayRetryStatus, retryDelayMs, wait } from './retry.ts'

export { networkReason, QuaysideError, QuaysideUnreachableError } from './errors.ts'
export { allItems, everyItem } from './pages.ts'
export { retryDelayMs } from './retry.ts'
export type * from './generated/api.ts'

export type ClientOptions = {
  /** Origin of the service, such as `https://builds.example.com`. */
  baseUrl: string
  /** Workspace or application key; absent calls go out without a key. */
  apiKey?: string
  fetch?: typeof fetch
  userAgent?: string
  /** Further tries after the first one, 4 unless given. */
  retries?: number
  /** Longest wait for one answer, 60 unless given. */
  timeoutSeconds?: number
}

export type CallOptions = {
  signal?: AbortSignal
  /** Sent as `Idempotency-Key`; makes a POST repeatable. */
  idempotencyKey?: string
  /** A POST that may be made twice without harm is retried like a GET. */
  repeatable?: boolean
  retries?: number
}

type Method<O extends { params: object; answer: unknown }> = object extends O['params']
  ? (params?: O['params'], options?: CallOptions) => Promise<O['answer']>
  : (params: O['params'], options?: CallOptions) => Promise<O['answer']>

/** One method for each operation of the API: path and query parameters by name, the JSON body as `body`. */
export type QuaysideClient = { [Id in keyof Operations]: Method<Operations[Id]> }

type Row = { method: string; path: string; query?: readonly string[]; answer: string }
type Params = Record<string, unknown>
type Scalar = string | number | boolean | null | undefined

/**
 * A client of the Quayside API. Methods resolve with the whole JSON answer and reject with `QuaysideError`
 * (the service said no) or `QuaysideUnreachableError` (no answer). 429 is retried always; 502, 503, 504 and
 * broken connections where repeating does no harm.
 */
export function createClient(options: ClientOptions): QuaysideClient {
  const entries = Object.entries(operations as Record<string, Row>).map(([id, row]) => [
    id,
    (params?: Params, call?: CallOptions) => request(options, row, params ?? {}, call ?? {}),
  ])
  return Object.fromEntries(entries) as QuaysideClient
}

async function request(
  options: ClientOptions,
  row: Row,
  params: Params,
  call: CallOptions,
): Promise<unknown> {
  const origin = options.baseUrl.replace(/\/+$/, '')
  const url = origin + pathOf(row, params)
  const repeatable = row.method !== 'POST' || call.repeatable === true || call.idempotencyKey !== undefined
  const retries = call.retries ?? options.retries ?? 4
  for (let attempt = 0; ; attempt++) {
    let answer: Response
    try {
      answer = await send(options, row.method, url, params['body'], call)
      if (isSuccess(answer, row)) return await content(answer, row)
    } catch (error) {
      if (error instanceof QuaysideError) throw error
      call.signal?.throwIfAborted()
      if (attempt >= retries || !mayRetryFailure(error, repeatable)) {
        throw new QuaysideUnreachableError(origin, error)
      }
      await wait(retryDelayMs(attempt, null), call.signal)
      continue
    }
    if (attempt >= retries || !mayRetryStatus(answer.status, repeatable)) throw await errorOfAnswer(answer)
    await answer.body?.cancel()
    await wait(retryDelayMs(attempt, answer.headers.get('retry-after')), call.signal)
  }
}

function send(
  options: ClientOptions,
  method: string,
  url: string,
  body: unknown,
  call: CallOptions,
): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (options.apiKey) headers['authorization'] = `Bearer ${options.apiKey}`
  if (options.userAgent) headers['user-agent'] = options.userAgent
  if (call.idempotencyKey) headers['idempotency-key'] = call.idempotencyKey
  if (body !== undefined) headers['content-type'] = 'application/json'
  const timeout = AbortSignal.timeout((options.timeoutSeconds ?? 60) * 1000)
  return (options.fetch ?? fetch)(url, {
    method,
    headers,
    // A redirect would turn a POST into a GET and drop the key: it is reported instead.
    redirect: 'manual',
    signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** A redirect is an answer where the operation gives one; elsewhere it leads away from the service. */
const isSuccess = (answer: Response, row: Row): boolean =>
  answer.ok || (row.answer === 'redirect' && answer.status === 302)

async function content(answer: Response, row: Row): Promise<unknown> {
  if (row.answer === 'text') return answer.text()
  if (row.answer === 'bytes') return new Uint8Array(await answer.arrayBuffer())
  if (row.answer === 'none') {
    await answer.body?.cancel()
    return undefined
  }
  const text = await answer.text()
  try {
    return JSON.parse(text)
  } catch {
    const type = answer.headers.get('content-type') ?? 'no content type'
    throw new QuaysideError(answer.status, `The answer is not JSON (${type}): is this a Quayside service?`, {
      code: 'sdk.not_json',
    })
  }
}

function pathOf(row: Row, params: Params): string {
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] as Scalar
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is required`)
    // A URL parser folds dot segments, also encoded ones, into another path.
    if (value === '.' || value === '..') throw new TypeError(`${name} is not an identifier`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const name of row.query ?? []) {
    const value = params[name] as Scalar
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}
