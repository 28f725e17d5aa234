import { Problem, problem } from '../../lib/problem.ts'

export type ErrorResponse = { status: number; headers: Record<string, string>; body: string }

type ForeignError = { code?: string; statusCode?: number }

export const notJson = problem(
  'unsupported_media',
  'request.not_json',
  'Send the body as `application/json`.',
)

export const malformedRequest = problem(
  'bad_request',
  'request.malformed',
  'The request could not be read. Send it again.',
)

export const badUrl = problem(
  'bad_request',
  'request.bad_url',
  'The URL contains invalid percent-encoding. Encode special characters as UTF-8, and a literal % as %25.',
)

const internalError = problem(
  'internal',
  'server.error',
  'Internal server error. Try again later. If the error persists, report the request ID.',
)

export const unauthorized = problem('unauthorized', 'key.unauthorized', 'Unauthorized', {
  headers: { 'www-authenticate': 'Bearer' },
})

// Errors that Fastify throws before it calls our handlers.
const fastifyProblems: Record<string, () => Problem> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: notJson,
  FST_ERR_BAD_URL: badUrl,
}

/** Converts a thrown value to a Problem. Returns undefined if it is an internal error. */
export function problemFrom(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const { code, statusCode } = (error ?? {}) as ForeignError
  const known = code === undefined ? undefined : fastifyProblems[code]
  if (known !== undefined) return known()
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || (statusCode ?? 500) < 500)
    return malformedRequest()
  return undefined
}

/** Renders any thrown value as a JSON error response. */
export function renderError(error: unknown, requestId: string): ErrorResponse {
  const reported = problemFrom(error)
  const { status, code, message } = reported ?? internalError()
  const headers = { ...reported?.headers }
  const errors = reported?.errors === undefined ? {} : { errors: reported.errors }
  return { status, headers, body: JSON.stringify({ message, code, request_id: requestId, ...errors }) }
}
