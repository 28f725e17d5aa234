import { S3ServiceException } from '@aws-sdk/client-s3'
import { Problem } from '../../lib/problem.ts'
import { outOfSpace } from '../objects/free-space.ts'
import { storageUnavailable } from '../storage-errors.ts'

/** Returns whether S3 rejected a call with one of these codes. */
export const isS3Error = (error: unknown, ...codes: string[]): boolean =>
  error instanceof S3ServiceException && codes.includes(error.name)

/** Returns whether S3 reported that the object or the multipart upload does not exist. */
export const isMissing = (error: unknown): boolean =>
  isS3Error(error, 'NotFound', 'NoSuchKey', 'NoSuchUpload') ||
  // A response to HEAD has no body, so the code is derived from the status.
  (error instanceof S3ServiceException && error.name === '404')

/** Returns the error that S3 reports for a missing bucket. Its response to HEAD has no body and therefore no code. */
export const noSuchBucket = (bucket: string): S3ServiceException =>
  new S3ServiceException({
    name: 'NoSuchBucket',
    message: `The bucket ${bucket} does not exist.`,
    $fault: 'client',
    $metadata: { httpStatusCode: 404 },
  })

/** Returns whether a call failed because S3 is unreachable, overloaded or faulty, rather than because of the call. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Problem) return error.kind === 'unavailable'
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode
    return status === undefined || status >= 500 || status === 429 || error.name === 'SlowDown'
  }
  // Errors of the network and aborted calls. A TypeError or RangeError is a bug.
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError)
}

/** The codes with which stores report that they are full. */
export const fullStoreCodes = [
  'QuotaExceeded',
  'XMinioStorageFull',
  'InsufficientCapacity',
  'EntityQuotaExceeded',
]

/** Converts an error of the S3 client to a Problem; returns a Problem or a bug unchanged. */
export function toS3Problem(error: unknown): unknown {
  if (error instanceof Problem) return error
  if (isS3Error(error, ...fullStoreCodes)) return outOfSpace({ cause: error })
  return error instanceof S3ServiceException || isOutage(error) ? storageUnavailable({ cause: error }) : error
}

/** Awaits `work` and throws errors of the S3 client as Problems. */
export async function translateS3Errors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toS3Problem(error)
  }
}
