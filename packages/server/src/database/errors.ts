import { Problem } from '../lib/problem.ts'

type Coded = { code?: unknown; constraint?: unknown }

const coded = (error: unknown): Coded => (typeof error === 'object' && error !== null ? error : {})

const codeOf = (error: unknown): string => {
  const { code } = coded(error)
  return typeof code === 'string' ? code : ''
}

// What node and pg say where a connection broke or never came about; none of them has a SQLSTATE.
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
])
const brokenConnectionText =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|This socket has been ended|write after end)/

/** Whether the server can not be reached, was lost or is going down: nothing tells what became of the statement. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error)
  if (/^(08...|57P0[1-5])$/.test(code) || brokenConnectionCodes.has(code)) return true
  return code === '' && error instanceof Error && brokenConnectionText.test(error.message)
}

/** Deadlock or serialization failure, also a statement prepared before a migration: PostgreSQL has undone all of it. */
export const isWorthRepeating = (error: unknown): boolean =>
  ['40001', '40P01'].includes(codeOf(error)) || isStalePlan(error)

/** A migration of another node has changed what a prepared statement returns. */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' &&
  error instanceof Error &&
  error.message.startsWith('cached plan must not change')

/** Name of the constraint or unique index that a write ran against; undefined for every other error. */
export function violatedConstraint(error: unknown): string | undefined {
  const { constraint } = coded(error)
  return codeOf(error).startsWith('23') && typeof constraint === 'string' ? constraint : undefined
}

export const unavailable = (cause?: unknown): Problem =>
  new Problem('unavailable', 'database.unavailable', 'The database can not be reached. Try again shortly.', {
    retryAfterSeconds: 1,
    cause,
  })

/**
 * What callers above `database/` see of an error: lost connections, time limits and full disks become a
 * Problem; a violated constraint, a deadlock and mistakes of ours stay as they are.
 */
export function translateError(error: unknown): unknown {
  if (error instanceof Problem) return error
  if (isConnectionLoss(error)) return unavailable(error)
  switch (codeOf(error)) {
    case '25006': // a primary that became a standby
    case '53200':
    case '53300':
      return unavailable(error)
    case '53100':
      return new Problem('out_of_space', 'database.out_of_space', 'The disk of the database is full.', {
        cause: error,
      })
    case '57014':
    case '55P03':
      return new Problem('unavailable', 'database.timeout', 'The database took too long to answer.', {
        retryAfterSeconds: 1,
        cause: error,
      })
    default:
      return error
  }
}
