import { Problem, problem } from '../lib/problem.ts'
import { waitUntilAvailable, type WaitOptions } from '../lib/wait-until-available.ts'
import type { DatabasePool } from './pool.ts'
import { addressOf, findRefusal, unreachableReason } from './target.ts'

/**
 * Waits until the database responds, because a service manager often starts it at the same time as this service. Throws
 * `database.unreachable` after the timeout; errors such as a wrong password are thrown immediately.
 */
export const waitForDatabase = (pool: DatabasePool, options: WaitOptions): Promise<void> =>
  waitUntilAvailable(
    {
      findProblem: () => findProblem(pool),
      describe: (problem) => unreachableReason(problem.cause ?? problem),
      explain: (reason, cause) =>
        databaseUnreachable(
          { address: addressOf(pool.target), seconds: options.timeoutSeconds, reason },
          { cause },
        ),
      waiting: 'the database is not available yet: waiting for it',
      retryMs: 250,
    },
    options,
  )

const databaseUnreachable = problem(
  'unavailable',
  'database.unreachable',
  'The database at {address} did not become available within {seconds} s ({reason}). Check DATABASE_URL and whether PostgreSQL is running, or wait longer with QUAYSIDE_DATABASE_WAIT_SECONDS.',
)

/** Returns the Problem that explains why the database is unavailable, or undefined if the database responds. */
async function findProblem(pool: DatabasePool): Promise<Problem | undefined> {
  try {
    await pool.query('select 1')
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unavailable') {
      const refusal = findRefusal(error.cause, pool.target)
      if (refusal === undefined) return error
      throw refusal
    }
    throw findRefusal(error, pool.target) ?? error
  }
}
