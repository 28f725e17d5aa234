const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EFBIG: 'the file is too large for the file system',
  EIO: 'the disk reported an error',
  EBUSY: 'another program is using it',
  EISDIR: 'it is a folder',
  ENOTEMPTY: 'it is a folder with files',
  EEXIST: 'a file with this name exists',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'it does not exist',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/**
 * Returns the reason why a file or folder cannot be used: a phrase for a known error code, otherwise the code or, if
 * there is none, the message.
 */
export function fileErrorReason(error: unknown): string {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  return reasons[code] ?? (code || message || 'unknown error')
}

/** Returns whether an error is that of a file operation and not of a network connection. */
export const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error &&
  'syscall' in error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.syscall !== 'connect' &&
  Object.hasOwn(reasons, error.code)
