import { S3ServiceException } from '@aws-sdk/client-s3'
import { isErrno, Problem, problem } from '../../lib/problem.ts'

const networkCodes = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']
const clientErrors = new Set(['TimeoutError', 'AbortError', 'CredentialsProviderError'])

/** Returns an error that says why the bucket of a backup cannot be used; returns other errors unchanged. */
export function explainError(given: unknown, location: string): unknown {
  const error = given instanceof Problem && given.kind === 'unavailable' ? given.cause : given
  if (error instanceof Problem || !(error instanceof Error)) return given
  const isOfStore = error instanceof S3ServiceException || isErrno(error, ...networkCodes)
  if (!isOfStore && !clientErrors.has(error.name)) return given
  return storeUnusable({ location, reason: reasonOf(error) }, { cause: error })
}

const storeUnusable = problem(
  'unavailable',
  'backup.store_unusable',
  '{location} cannot be used ({reason}). Check the name of the bucket and the QUAYSIDE_BACKUP_S3 settings.',
)

/** Returns the code of the error; a response to HEAD has no code, so its status is used. */
function reasonOf(error: Error): string {
  if (error instanceof S3ServiceException && /^(Unknown|\d+)/.test(error.name))
    return `HTTP status ${error.$metadata.httpStatusCode ?? 'unknown'}`
  return error.message === '' || error.name !== 'Error' ? error.name : error.message
}

export async function explainErrors<T>(work: Promise<T>, location: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw explainError(error, location)
  }
}
