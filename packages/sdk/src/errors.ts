import type { ClientResponse } from './client-response.ts'

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

/** Thrown before a request is sent if a path parameter is missing or cannot be part of a path. */
export class InvalidParameterError extends TypeError {
  override readonly name = 'InvalidParameterError'
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'the host did not respond in time',
  UND_ERR_CONNECT_TIMEOUT: 'the host did not respond in time',
  UND_ERR_HEADERS_TIMEOUT: 'the server did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'the server stopped sending data',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  CERT_NOT_YET_VALID: 'its TLS certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate belongs to another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is from an unknown certificate authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its TLS certificate is from an unknown certificate authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate is from an unknown certificate authority',
}

/** Returns the reason for a network failure, such as `the connection was refused`. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return networkReason(error.cause)
  if (error instanceof AggregateError && error.errors.length > 0) return networkReason(error.errors[0])
  const code = codeOf(error)
  const reason = reasons[code]
  if (reason !== undefined) return reason
  // The messages of the HTTP parser and of OpenSSL describe internals, such as source files, that do not help a user.
  if (error.name === 'HTTPParserError' || code.startsWith('HPE_')) return 'the response is not HTTP'
  if (code.startsWith('ERR_SSL_')) return 'the TLS connection could not be established'
  if (error.name === 'TimeoutError') return 'the server did not respond in time'
  return error.message || code || error.name
}

/** Returns the code of a network failure, such as `ECONNREFUSED`, or '' if there is none. */
export function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const code = codeOf(error)
  if (code !== '' && !code.startsWith('UND_')) return code
  if (error instanceof AggregateError && error.errors.length > 0) return networkCode(error.errors[0])
  return networkCode(error.cause) || (code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : '')
}

/** Node reports an error of OpenSSL as EPROTO while a request is being written. */
function codeOf(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const reason = code === 'EPROTO' ? /:SSL routines:[^:]*:([^:]+):/.exec(error.message)?.[1] : undefined
  return reason === undefined ? code : `ERR_SSL_${reason.toUpperCase().replaceAll(/\W+/g, '_')}`
}

/** Converts an error response to a `QuaysideError`. */
export async function errorFromResponse(response: ClientResponse): Promise<QuaysideError> {
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
