import { QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import { failureText } from '../text/failures.ts'
import { LoadError } from './load-module.ts'

/** What a person reads about a failure: the sentence of the server, and what support needs to find the request. */
export type Failure = {
  message: string
  requestId: string
  isOffline: boolean
  /** Whether only a reload of the page can help. */
  needsReload: boolean
  status: number
}

/** Returns what to show for an error that a request or a loader has thrown. */
export function failureOf(error: unknown): Failure {
  const failure = { requestId: '', isOffline: false, needsReload: false, status: 0 }
  if (error instanceof QuaysideError && error.status === 401 && error.code === 'key.unauthorized')
    return { ...failure, message: failureText.sessionEnded, status: 401 }
  if (error instanceof QuaysideError)
    return { ...failure, message: error.message, requestId: error.requestId, status: error.status }
  if (error instanceof QuaysideUnreachableError)
    return {
      ...failure,
      message: failureText.unreachable,
      isOffline: true,
    }
  if (error instanceof LoadError)
    return {
      ...failure,
      message: error.message,
      isOffline: !error.needsReload,
      needsReload: error.needsReload,
    }
  return { ...failure, message: error instanceof Error ? error.message : String(error) }
}

/**
 * Returns the messages of a validation error by field, for `form.setErrors`. A dotted path such as `labels.0` also sets
 * the message of its first part, because most inputs show a whole list.
 */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof QuaysideError)) return {}
  const fields: Record<string, string> = {}
  for (const [path, messages] of Object.entries(error.errors)) {
    const text = messages.map(capitalized).join(' ')
    fields[path] = text
    fields[path.split('.', 1)[0] ?? path] ??= text
  }
  return fields
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
