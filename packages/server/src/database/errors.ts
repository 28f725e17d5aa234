import { Problem, problem } from '../lib/problem.ts'

type Coded = { code?: unknown; constraint?: unknown }

const coded = (error: unknown): Coded => (typeof error === 'object' && error !== null ? error : {})

const codeOf = (error: unknown): string => {
  const { code } = coded(error)
  return typeof code === 'string' ? code : ''
}

// Node.js and pg errors for connections that were lost or could not be opened; they have no SQLSTATE.
const brokenConnectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'ENOTSOCK',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The process has run out of file descriptors, or the connection queue of the Unix socket is full.
  'EMFILE',
  'ENFILE',
  'EAGAIN',
])
const brokenConnectionText =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|This socket has been ended|write after end)/

/**
 * Returns whether the server is unreachable or shutting down. In that case, the outcome of the statement is unknown.
 */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error)
  if (/^(08...|57P0[1-5])$/.test(code) || brokenConnectionCodes.has(code)) return true
  return code === '' && error instanceof Error && brokenConnectionText.test(error.message)
}

/**
 * Returns whether the cause is a deadlock, a serialization failure, or a statement that was prepared before a migration
 * or in another session of the server.
 */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error)) || isStalePlan(error) || isLostStatement(error)

/** Returns whether a statement gave way to other transactions: after a deadlock, or a wait that reached `lock_timeout`. */
export const isLockConflict = (error: unknown): boolean => ['40P01', '55P03'].includes(codeOf(error))

/**
 * Returns whether the session of the server does not know a prepared statement, or already has one with its name,
 * because a connection pooler assigned another session.
 */
export const isLostStatement = (error: unknown): boolean => ['26000', '42P05'].includes(codeOf(error))

/** Returns whether a migration by another node changed the result type of a prepared statement. */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' &&
  error instanceof Error &&
  error.message.startsWith('cached plan must not change')

/** Returns the name of the constraint or unique index that a write violated; undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  const { constraint } = coded(error)
  return codeOf(error).startsWith('23') && typeof constraint === 'string' ? constraint : undefined
}

// Clients try again after these, which usually end within a second.
const soon = { retryAfterSeconds: 1 }

export const unavailable = problem(
  'unavailable',
  'database.unavailable',
  'The database is unreachable. Try again shortly.',
  soon,
)

export const tooManyConflicts = problem(
  'unavailable',
  'database.busy',
  'Too many concurrent changes to the same data. Try again shortly.',
  soon,
)

export const allConnectionsBusy = problem(
  'unavailable',
  'database.busy',
  'All database connections are busy. Try again shortly.',
  soon,
)

export const readOnly = problem(
  'unavailable',
  'database.read_only',
  'The database is read-only. Try again shortly.',
  soon,
)

const timedOut = problem(
  'unavailable',
  'database.timeout',
  'The database took too long to respond. Try again shortly.',
  soon,
)

const filesInaccessible = problem(
  'unavailable',
  'database.io_error',
  'The database cannot access its files. Try again shortly.',
  soon,
)

export const outcomeUnknown = problem(
  'unavailable',
  'database.outcome_unknown',
  'The connection to the database was lost during the commit, so the change may or may not have been saved. Check before you try again.',
  soon,
)

export const outOfSpace = problem(
  'out_of_space',
  'database.out_of_space',
  "The database server's disk is full. Free some space, then try again.",
)

/** The errors of every endpoint. A write can also fail with `outcomeUnknown` and `outOfSpace`. */
export const databaseProblems = [
  unavailable,
  tooManyConflicts,
  allConnectionsBusy,
  readOnly,
  timedOut,
  filesInaccessible,
]

/** Returns whether a statement failed because it would have written to a read-only database. */
export const isReadOnlyError = (error: unknown): boolean => codeOf(error) === '25006'

/**
 * Translates a database error for callers outside `database/`. Lost connections, timeouts, and full or failing disks
 * become a Problem; any other error, such as a violated constraint or a deadlock, is returned unchanged.
 */
export function translateError(error: unknown): unknown {
  if (error instanceof Problem) return error
  if (isConnectionLoss(error)) return unavailable({ cause: error })
  const code = codeOf(error)
  if (code.startsWith('58')) return filesInaccessible({ cause: error })
  switch (code) {
    case '25006': // The primary has become a standby.
      return readOnly({ cause: error })
    case '25P03':
    case '53000':
    case '53200':
    case '53300':
    case '53400':
      return unavailable({ cause: error })
    case '53100':
      return outOfSpace({ cause: error })
    case '57014':
    case '55P03':
      return timedOut({ cause: error })
    default:
      return error
  }
}

/** Returns whether the database cannot represent a value, such as text that is not a UUID (SQLSTATE class 22). */
export const isInvalidValue = (error: unknown): boolean => /^22...$/.test(codeOf(error))
