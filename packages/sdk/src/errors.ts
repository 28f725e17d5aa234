/** The service answered, but not with success. `message` is the service's own sentence. */
export class QuaysideError extends Error {
  override readonly name = 'QuaysideError'
  /** HTTP status of the answer. */
  readonly status: number
  /** Stable machine name of the reason (`noun.reason`), '' where the answer has none. */
  readonly code: string
  /** Validation texts by dotted field path, empty unless the status is 400 or 422. */
  readonly errors: Record<string, string[]>
  /** Identifies the request in the service's log, '' where unknown. */
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

/** No answer came: refused, unknown host, broken or silent connection. `cause` is the network's error. */
export class QuaysideUnreachableError extends Error {
  override readonly name = 'QuaysideUnreachableError'
  /** Origin that was called. */
  readonly baseUrl: string

  constructor(baseUrl: string, cause: unknown) {
    super(`${baseUrl} does not answer: ${networkReason(cause)}`, { cause })
    this.baseUrl = baseUrl
  }
}

/** The innermost readable reason of a network failure, such as `connect ECONNREFUSED 127.0.0.1:4400`. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return networkReason(error.cause)
  if (error instanceof AggregateError && error.errors.length > 0) return networkReason(error.errors[0])
  return error.message || ('code' in error ? String(error.code) : error.name)
}

/** The code of a network failure (`ECONNREFUSED`), '' where there is none. */
export function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string' && !error.code.startsWith('UND_')) return error.code
  if (error instanceof AggregateError && error.errors.length > 0) return networkCode(error.errors[0])
  return networkCode(error.cause)
}

/** Turns an answer that is not a success into the error it describes. */
export async function errorOfAnswer(answer: Response): Promise<QuaysideError> {
  const requestId = answer.headers.get('x-request-id') ?? ''
  const body = parsed(await answer.text().catch(() => ''))
  if (answer.status >= 300 && answer.status < 400) {
    const target = answer.headers.get('location') ?? 'another address'
    return new QuaysideError(answer.status, `The service redirects to ${target}: use that address.`, {
      code: 'sdk.redirected',
      requestId,
    })
  }
  const message = typeof body['message'] === 'string' ? body['message'] : `HTTP ${answer.status}`
  return new QuaysideError(answer.status, message, {
    code: typeof body['code'] === 'string' ? body['code'] : '',
    errors: validationTexts(body['errors']),
    requestId: requestId || (typeof body['request_id'] === 'string' ? body['request_id'] : ''),
  })
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function validationTexts(value: unknown): Record<string, string[]> {
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value).map(([field, texts]): [string, string[]] => [
    field,
    (Array.isArray(texts) ? texts : [texts]).map(String),
  ])
  return Object.fromEntries(entries)
}
