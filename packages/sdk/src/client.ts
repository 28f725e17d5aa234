import { anySignal } from './any-signal.ts'
import type { ClientFetch, ClientResponse } from './client-response.ts'
import {
  errorFromResponse,
  InvalidParameterError,
  QuaysideError,
  QuaysideUnreachableError,
} from './errors.ts'
import { watchEvents } from './events.ts'
import { operations } from './generated/api.ts'
import type { Operations } from './generated/api.ts'
import { isRetryableFailure, isRetryableStatus, retryDelayMs, wait } from './retry.ts'

export {
  InvalidParameterError,
  networkCode,
  networkReason,
  QuaysideError,
  QuaysideUnreachableError,
} from './errors.ts'
export { anySignal } from './any-signal.ts'
export type { ClientFetch, ClientResponse } from './client-response.ts'
export { allItems, everyItem } from './pages.ts'
export { retryAfterMs, retryDelayMs } from './retry.ts'
export type * from './generated/api.ts'

export type ClientOptions = {
  /** Origin of the service, such as `https://builds.example.com`. */
  baseUrl: string
  /**
   * Workspace or application API key, or a function that returns one. Public operations work without a key. In a page
   * that the service serves, all operations work without a key, because the browser sends the session cookie. After a 401
   * response, the function is called once more with the rejected key, and the request is repeated if it returns another.
   */
  apiKey?: string | ((rejected?: string) => Promise<string>)
  /**
   * Custom fetch implementation; defaults to the global `fetch`. If it throws a `QuaysideUnreachableError`, the request
   * is not retried.
   */
  fetch?: ClientFetch
  userAgent?: string
  /** Maximum number of retries after the first attempt. Defaults to 4. */
  retries?: number
  /** Maximum duration of one attempt in seconds. Defaults to 60. */
  timeoutSeconds?: number
  /**
   * Called with each response before its body is read. It must not read the body. If it throws a `QuaysideError`, the
   * call rejects with that error.
   */
  onResponse?: (response: ClientResponse) => void
}

export type CallOptions = {
  signal?: AbortSignal
  /** Value of the `Idempotency-Key` header, which makes a POST safe to retry. */
  idempotencyKey?: string
  /** Whether to retry a POST like a GET. Set this only if repeating the call is safe. */
  idempotent?: boolean
  /** Overrides the client's `retries`. */
  retries?: number
}

type Result<O> = O extends { events: infer Events }
  ? AsyncGenerator<Exclude<Events, { event: 'end' }>, void, undefined>
  : O extends { response: infer Body }
    ? Promise<Body>
    : never

type Method<O extends { params: object }> = object extends O['params']
  ? (params?: O['params'], options?: CallOptions) => Result<O>
  : (params: O['params'], options?: CallOptions) => Result<O>

/**
 * One method per API operation. Pass path and query parameters by name and the JSON body as `body`. Methods for event
 * streams return an async iterator instead of a promise.
 */
export type QuaysideClient = { [Id in keyof Operations]: Method<Operations[Id]> }

type Operation = { method: string; path: string; query?: readonly string[]; response: string }
type Params = Record<string, unknown>
type Scalar = string | number | boolean | null | undefined

/**
 * Creates a client for the Quayside API. Methods resolve with the response body. They reject with `QuaysideError`
 * when the service reports an error and with `QuaysideUnreachableError` when no response arrives. Status 429 is
 * always retried. Status 502, 503 and 504 and broken connections are retried if repeating the request is safe.
 */
export function createClient(options: ClientOptions): QuaysideClient {
  const methods = Object.entries(operations as Record<string, Operation>).map(([id, operation]) => [
    id,
    (params: Params = {}, call: CallOptions = {}) =>
      operation.response === 'events'
        ? watchEvents({
            connect: (lastEventId, signal) =>
              request(options, operation, params, {
                ...call,
                signal,
                lastEventId,
              }) as Promise<ClientResponse>,
            signal: call.signal,
          })
        : request(options, operation, params, call),
  ])
  return Object.fromEntries(methods) as QuaysideClient
}

async function request(
  options: ClientOptions,
  operation: Operation,
  params: Params,
  call: CallOptions & { lastEventId?: string | undefined },
): Promise<unknown> {
  const origin = options.baseUrl.replace(/\/+$/, '')
  const url = origin + buildPath(operation, params)
  const isIdempotent =
    operation.method !== 'POST' || call.idempotent === true || call.idempotencyKey !== undefined
  const retries = call.retries ?? options.retries ?? 4
  const { apiKey } = options
  let key = typeof apiKey === 'function' ? await apiKey() : apiKey
  let isKeyRenewed = false
  for (let attempt = 0; ; attempt++) {
    let response: ClientResponse
    try {
      response = await send(options, operation, url, key, params['body'], call)
      options.onResponse?.(response)
      if (isSuccess(response, operation)) return await readBody(response, operation)
    } catch (error) {
      if (error instanceof QuaysideError || error instanceof QuaysideUnreachableError) throw error
      call.signal?.throwIfAborted()
      if (attempt >= retries || !isRetryableFailure(error, isIdempotent)) {
        throw new QuaysideUnreachableError(origin, error)
      }
      await wait(retryDelayMs(attempt, null), call.signal)
      continue
    }
    if (response.status === 401 && typeof apiKey === 'function' && !isKeyRenewed) {
      isKeyRenewed = true
      const rejected = key
      key = await apiKey(rejected)
      if (key !== rejected) {
        await response.body?.cancel()
        continue
      }
    }
    if (attempt >= retries || !isRetryableStatus(response.status, isIdempotent))
      throw await errorFromResponse(response)
    await response.body?.cancel()
    await wait(retryDelayMs(attempt, response.headers.get('retry-after')), call.signal)
  }
}

function send(
  options: ClientOptions,
  { method, response }: Operation,
  url: string,
  key: string | undefined,
  body: unknown,
  call: CallOptions & { lastEventId?: string | undefined },
): Promise<ClientResponse> {
  const isStream = response === 'events'
  const headers: Record<string, string> = { accept: isStream ? 'text/event-stream' : 'application/json' }
  if (call.lastEventId !== undefined) headers['last-event-id'] = call.lastEventId
  if (key) headers['authorization'] = `Bearer ${key}`
  if (options.userAgent) headers['user-agent'] = options.userAgent
  if (call.idempotencyKey) headers['idempotency-key'] = call.idempotencyKey
  if (body !== undefined) headers['content-type'] = 'application/json'
  // `watchEvents` limits the time without data instead.
  const timeouts = isStream ? [] : [AbortSignal.timeout((options.timeoutSeconds ?? 60) * 1000)]
  return (options.fetch ?? fetch)(url, {
    method,
    headers,
    // Only pages of the service itself send the session cookie.
    credentials: 'same-origin',
    // Following a redirect would turn a POST into a GET and, across origins, drop the API key.
    redirect: 'manual',
    signal: anySignal([...(call.signal ? [call.signal] : []), ...timeouts]),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Returns whether the call succeeded. A redirect is a success only for operations that document one. */
const isSuccess = (response: ClientResponse, operation: Operation): boolean =>
  response.ok || (operation.response === 'redirect' && response.status === 302)

async function readBody(response: ClientResponse, operation: Operation): Promise<unknown> {
  if (operation.response === 'events') return response
  if (operation.response === 'text') return response.text()
  if (operation.response === 'bytes') return new Uint8Array(await response.arrayBuffer())
  if (operation.response === 'none') {
    await response.body?.cancel()
    return undefined
  }
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    const type = response.headers.get('content-type') ?? 'no content type'
    throw new QuaysideError(
      response.status,
      `The response is not JSON (${type}). Check that the URL is that of a Quayside server.`,
      { code: 'sdk.not_json' },
    )
  }
}

function buildPath(operation: Operation, params: Params): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] as Scalar
    if (value === undefined || value === null || value === '')
      throw new InvalidParameterError(`\`${name}\` is required.`)
    // URL parsers resolve dot segments even if they are encoded, so the request would reach another endpoint.
    if (value === '.' || value === '..')
      throw new InvalidParameterError(`\`${name}\` must not be "${value}".`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const name of operation.query ?? []) {
    const value = params[name] as Scalar
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}
