/** Thrown when the service responds with an error. `message` is the message in the response. */
export class QuaysideError extends Error {
  override readonly name = 'QuaysideError'
  /** HTTP status of the response. */
  readonly status: number
  /** Stable error code (`noun.reason`), or empty if the response has none. */
  readonly code: string
  /** Validation messages by dotted field path, empty unless the status is 400 or 422. */
  readonly errors: Record<string, string[]>
  /** ID of the request in the service's log, or empty if unknown. */
  readonly requestId: string

  constructor(status: number, message: string, details: ErrorDetails = {}) {
    super(message)
    this.status = status
    this.code = details.code ?? ''
    this.errors = details.errors ?? {}
    this.requestId = details.requestId ?? ''
  }
}

export type ErrorDetails = { code?: string; errors?: Record<string, string[]>; requestId?: string }

/** Thrown when no response arrives, for example after a timeout. `cause` is the network error. */
export class QuaysideUnreachableError extends Error {
  override readonly name = 'QuaysideUnreachableError'
  /** Origin of the service. */
  readonly baseUrl: string

  constructor(baseUrl: string, cause: unknown) {
    super(`No response from ${baseUrl}: ${networkReason(cause)}`, { cause })
    this.baseUrl = baseUrl
  }
}

/** Returns the innermost readable reason for a network failure, such as `connect ECONNREFUSED 127.0.0.1:4400`. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return networkReason(error.cause)
  if (error instanceof AggregateError && error.errors.length > 0) return networkReason(error.errors[0])
  return error.message || ('code' in error ? String(error.code) : error.name)
}

/** Returns the code of a network failure, such as `ECONNREFUSED`, or '' if there is none. */
export function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string' && !error.code.startsWith('UND_')) return error.code
  if (error instanceof AggregateError && error.errors.length > 0) return networkCode(error.errors[0])
  return networkCode(error.cause)
}

/** Converts an error response to a `QuaysideError`. */
export async function errorFromResponse(response: Response): Promise<QuaysideError> {
  const requestId = response.headers.get('x-request-id') ?? ''
  const body = parseObject(await response.text().catch(() => ''))
  if (response.status >= 300 && response.status < 400) {
    const target = response.headers.get('location') ?? 'another URL'
    return new QuaysideError(response.status, `The server redirects to ${target}. Use that URL instead.`, {
      code: 'sdk.redirected',
      requestId,
    })
  }
  const message = typeof body['message'] === 'string' ? body['message'] : `HTTP ${response.status}`
  return new QuaysideError(response.status, message, {
    code: typeof body['code'] === 'string' ? body['code'] : '',
    errors: validationMessages(body['errors']),
    requestId: requestId || (typeof body['request_id'] === 'string' ? body['request_id'] : ''),
  })
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function validationMessages(value: unknown): Record<string, string[]> {
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value).map(([field, messages]): [string, string[]] => [
    field,
    (Array.isArray(messages) ? messages : [messages]).map(String),
  ])
  return Object.fromEntries(entries)
}
