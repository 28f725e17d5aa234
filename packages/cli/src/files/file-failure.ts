import { Failure } from '../failure.ts'
import { fileErrorReason } from './file-error.ts'

/** Returns a failure that explains why a file cannot be read. */
export function cannotRead(path: string, error: unknown): Failure {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new Failure('failed', `${path} does not exist. Check the path.`, { cause: error })
  if (code === 'EISDIR')
    return new Failure('failed', `${path} is a folder. Use the path of a file.`, { cause: error })
  return new Failure(
    'failed',
    `Cannot read ${path}: ${fileErrorReason(error)}. Check the path and its permissions.`,
    { cause: error },
  )
}

/** Returns a failure that explains why a file or folder cannot be written. */
export function cannotWrite(path: string, error: unknown): Failure {
  const { code } = error as NodeJS.ErrnoException
  const reason = code === 'ENOENT' ? 'its folder does not exist' : fileErrorReason(error)
  return new Failure('failed', `Cannot write ${path}: ${reason}. ${writeAdvice(code)}`, { cause: error })
}

function writeAdvice(code = ''): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free some space, then rerun the command.'
    case 'ENOENT':
      return 'Create the folder, or choose another path.'
    case 'EACCES':
    case 'EPERM':
      return 'Check its permissions and those of its folder, or choose another path.'
    default:
      return 'Choose another path.'
  }
}
