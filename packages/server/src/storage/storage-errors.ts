import { problem } from '../lib/problem.ts'
import { outOfSpace } from './objects/free-space.ts'

/** For clients. The cause is for the log only, because it may contain the name of the bucket. */
export const storageUnavailable = problem(
  'unavailable',
  'storage.unavailable',
  'Storage is unavailable. Try again shortly.',
  { retryAfterSeconds: 5 },
)

export const storeUnavailable = problem(
  'unavailable',
  'custom_store.unavailable',
  'The custom store of this application is unavailable. Try again shortly. If the error persists, test the store in the settings of the application.',
  { retryAfterSeconds: 10 },
)

/** The errors of every endpoint that uses the storage of the server or the custom store of an application. */
export const storageProblems = [storageUnavailable, storeUnavailable]

export const partTooSmall = problem(
  'bad_request',
  'storage.part_too_small',
  'Every part except the last must be at least 5 MiB. Request a new upload with larger parts.',
)

export const partMissing = problem(
  'conflict',
  'storage.part_missing',
  'A stored part is missing. Upload it again.',
)

export const tooManyUploadsOfKey = problem(
  'too_many',
  'storage.too_many_uploads',
  'The API key of this upload already has {max} uploads in progress. Wait until some of them finish, then try again.',
  { retryAfterSeconds: 2 },
)

export const uploadStalled = problem('timeout', 'storage.too_slow', 'The upload stalled. Send it again.')

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error

/** Converts a file system error to a Problem; returns any other error, which is a bug, unchanged. */
export function toProblem(error: unknown): unknown {
  if (!isSystemError(error)) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return outOfSpace({ cause: error })
  return storageUnavailable({ cause: error })
}

/** Awaits `work` and throws its file system errors as Problems. */
export async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toProblem(error)
  }
}

export const cannotCompose = problem(
  'conflict',
  'composition.store_failed',
  'The store could not take bytes from other files. Request a new upload and send the whole file.',
)
