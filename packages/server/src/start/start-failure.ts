import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { Problem } from '../lib/problem.ts'
import { shellQuote } from '../lib/shell-quote.ts'

type SystemError = Error & { code: string; path: string }

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'syscall' in error && 'code' in error && 'path' in error

/** An error of a file that is already open, such as one of a backup, has no path. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/**
 * Returns a message that explains why the service or a command failed and what to do. The stack trace of an unexpected
 * error is only logged, because it does not help an operator.
 */
export function describeStartFailure(
  error: unknown,
  { dataDir, log }: { dataDir: string; log: Pick<Logger, 'error'> | undefined },
): string {
  const { cause } = error instanceof Error ? error : {}
  // The cause is checked too, because the embedded PostgreSQL wraps the error of an unusable folder in its own error.
  const text = [error, cause].filter(isSystemError).map((found) => describe(found, resolve(dataDir)))[0]
  if (text !== undefined) return text
  if ([error, cause].some(isDiskFull))
    return 'There is no disk space left. Free some space, then run the command again.'
  if (error instanceof Problem) return error.message
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  // Only the stack is logged, because pg attaches the whole client to its errors.
  log?.error({ stack }, 'an unexpected error stopped the start')
  return `An unexpected error occurred: ${message}\nThe log entry before this message has the details. Please report it as a bug.`
}

/** Returns a message for a file system error; undefined if its code does not indicate a problem with the folder. */
function describe({ code, path }: SystemError, dataDir: string): string | undefined {
  const elsewhere = 'choose another folder with QUAYSIDE_DATA_DIR'
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return (
        `Access to ${path} is denied to the user ${currentUserId()}. Start as the owner of the folder, give it to this user ` +
        `(sudo install -d -m 700 -o ${currentUserId()} ${shellQuote(dataDir)} creates it, sudo chown -R ${currentUserId()} ` +
        `${shellQuote(dataDir)} changes its owner), or ${elsewhere}.`
      )
    case 'EEXIST':
    case 'ENOTDIR':
      return `The data folder ${dataDir} cannot be created, because ${path} or a folder above it is a file. Delete or rename that file, or ${elsewhere}.`
    case 'EROFS':
      return `${path} is on a read-only file system. Mount it for writing, or ${elsewhere}.`
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no disk space left for ${path}. Free some space on its disk or in the quota of the user ${currentUserId()}, or ${elsewhere}.`
    case 'EIO':
    case 'ESTALE':
      return `The disk with ${path} does not work (${code}). Check the disk and its mount, or ${elsewhere}.`
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return `The path ${path} cannot be used (${code}). Shorten it or correct its symbolic links, or ${elsewhere}.`
    case 'ENOENT':
      return `${path} does not exist. Create it, or correct the setting that refers to it.`
    default:
      return undefined
  }
}

/** Returns the ID of the current user for use in commands, because a user in a container may have no name. */
const currentUserId = (): string => String(process.getuid?.() ?? '')
