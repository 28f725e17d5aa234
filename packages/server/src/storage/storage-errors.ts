import { Problem } from '../lib/problem.ts'
import { outOfSpace } from './free-space.ts'

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error

/** The one place where errors of the file system become problems; anything that is a mistake of ours passes as it is. */
export function asProblem(error: unknown): unknown {
  if (!isSystemError(error)) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return outOfSpace(error)
  return new Problem('unavailable', 'storage.unavailable', 'The storage cannot be reached at the moment.', {
    retryAfterSeconds: 5,
    cause: error,
  })
}

export async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asProblem(error)
  }
}
