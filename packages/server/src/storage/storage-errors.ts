import { Problem } from '../lib/problem.ts'
import { outOfSpace } from './objects/free-space.ts'

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error

/** Converts a file system error to a Problem; returns any other error, which is a bug, unchanged. */
export function toProblem(error: unknown): unknown {
  if (!isSystemError(error)) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return outOfSpace(error)
  return new Problem('unavailable', 'storage.unavailable', 'Storage is unavailable. Try again shortly.', {
    retryAfterSeconds: 5,
    cause: error,
  })
}

/** Awaits `work` and throws its file system errors as Problems. */
export async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toProblem(error)
  }
}
