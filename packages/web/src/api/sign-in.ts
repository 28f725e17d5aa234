import { QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import { serviceUrl } from './client.ts'

type ErrorBody = {
  message?: string
  code?: string
  request_id?: string
  errors?: Record<string, string[]>
}

/**
 * Calls an endpoint of sign-in, which is not part of the API. Throws the same errors as the SDK, so that forms show both
 * alike.
 */
export async function callSignIn<T>(path: `/${string}`, body?: object): Promise<T> {
  const response = await fetch(`${serviceUrl}/api/auth${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new QuaysideUnreachableError(serviceUrl, error)
  })
  const text = await response.text()
  const parsed: unknown = text === '' ? undefined : JSON.parse(text)
  if (response.ok) return parsed as T
  const { message, code = '', errors = {}, request_id: requestId = '' } = (parsed ?? {}) as ErrorBody
  throw new QuaysideError(
    response.status,
    message ?? `The server responded with status ${response.status}.`,
    {
      code,
      errors,
      requestId,
    },
  )
}

/** Ends the session of this browser. */
export const signOut = (): Promise<unknown> => callSignIn('/sign-out', {})
