import { QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import { failureText } from '../text/failures.ts'
import { fetchOnce, serviceUrl } from './browser.ts'
import { watched } from './connection.ts'
import { announceSession } from './session-end.ts'

type ErrorBody = {
  message?: string
  code?: string
  request_id?: string
  errors?: Record<string, string[]>
}

/** The fields to which an error belongs. A form shows it next to the one that it has. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  'sign_in.incorrect_password': ['password'],
  'sign_in.password_not_confirmed': ['currentPassword', 'password'],
  'sign_in.invalid_password_length': ['newPassword'],
  'sign_in.incorrect_code': ['code'],
}

/**
 * Calls an endpoint of sign-in, which is not part of the API. Throws the same errors as the SDK, so that forms show both
 * alike.
 */
export async function callSignIn<T>(
  path: `/${string}`,
  body?: object,
  method: 'GET' | 'POST' | 'DELETE' = body === undefined ? 'GET' : 'POST',
): Promise<T> {
  const response = await watched(() =>
    fetchOnce(`${serviceUrl}/api/auth${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }),
  ).catch((error: unknown) => {
    throw new QuaysideUnreachableError(serviceUrl, error)
  })
  const text = await response.text()
  const parsed: unknown = text === '' ? undefined : JSON.parse(text)
  if (response.ok) return parsed as T
  const { message, code = '', request_id: requestId = '', ...rest } = (parsed ?? {}) as ErrorBody
  const errors =
    rest.errors ?? Object.fromEntries((fieldsOf[code] ?? []).map((field) => [field, [message ?? '']]))
  throw new QuaysideError(response.status, message ?? failureText.status(response.status), {
    code,
    errors,
    requestId,
  })
}

/** Ends the session of this browser, also for its other tabs. */
export async function signOut(): Promise<void> {
  await callSignIn('/sign-out', {})
  announceSession('signed-out')
}
