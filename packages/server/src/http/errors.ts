import { Problem } from '../lib/problem.ts'

export type ErrorAnswer = { status: number; headers: Record<string, string>; body: string }

type ForeignError = { code?: string; statusCode?: number }

// What Fastify says of a request before any code of ours runs.
const fromFramework: Record<string, Problem> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new Problem('too_large', 'request.too_large', 'The body is larger than 1 MiB.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Problem(
    'unsupported_media',
    'request.not_json',
    'Send the body as application/json.',
  ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new Problem(
    'bad_request',
    'request.bad_length',
    'The body is not as long as Content-Length says.',
  ),
  FST_ERR_BAD_URL: new Problem('bad_request', 'request.bad_url', 'The URL is not validly percent-encoded.'),
}

/** The Problem behind any thrown thing; undefined = a defect of ours. */
export function problemFrom(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const { code, statusCode } = (error ?? {}) as ForeignError
  const known = code === undefined ? undefined : fromFramework[code]
  if (known !== undefined) return known
  if (statusCode === 413) return fromFramework['FST_ERR_CTP_BODY_TOO_LARGE']
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || (statusCode ?? 500) < 500)
    return new Problem('bad_request', 'request.malformed', 'The request could not be read.')
  return undefined
}

const defect = { status: 500, code: 'server.error', message: 'Something went wrong on our side.' }

export function renderError(error: unknown, requestId: string): ErrorAnswer {
  const problem = problemFrom(error)
  const { status, code, message } = problem ?? defect
  const headers = { ...problem?.headers }
  const errors = problem?.errors === undefined ? {} : { errors: problem.errors }
  return { status, headers, body: JSON.stringify({ message, code, request_id: requestId, ...errors }) }
}

export const unauthorized = (): Problem =>
  new Problem('unauthorized', 'key.unauthorized', 'Unauthorized', {
    headers: { 'www-authenticate': 'Bearer' },
  })
