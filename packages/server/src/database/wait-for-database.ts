import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../lib/problem.ts'
import type { DatabasePool } from './pool.ts'
import { addressOf, findRefusal, unreachableReason } from './target.ts'

type Options = {
  log: { warn(details: object, message: string): void }
  timeoutSeconds: number
  /** Stops waiting and throws the abort reason when the signal is aborted. */
  stopping: AbortSignal | undefined
}

const retryMs = 250
const logIntervalMs = 5_000

/**
 * Waits until the database responds, because a service manager often starts it at the same time as this service. Throws
 * `database.unreachable` after the timeout; errors such as a wrong password are thrown immediately.
 */
export async function waitForDatabase(
  pool: DatabasePool,
  { log, timeoutSeconds, stopping }: Options,
): Promise<void> {
  const startedAt = performance.now()
  let lastLoggedAt = -Infinity
  for (;;) {
    stopping?.throwIfAborted()
    const problem = await findProblem(pool)
    if (problem === undefined) return
    const now = performance.now()
    const secondsLeft = Math.ceil(timeoutSeconds - (now - startedAt) / 1_000)
    const reason = unreachableReason(problem.cause ?? problem)
    if (secondsLeft <= 0)
      throw new Problem(
        'unavailable',
        'database.unreachable',
        `The database at ${addressOf(pool.target)} did not become available within ${timeoutSeconds} s (${reason}). Check DATABASE_URL and whether PostgreSQL is running, or wait longer with QUAYSIDE_DATABASE_WAIT_SECONDS.`,
        { cause: problem },
      )
    if (now - lastLoggedAt >= logIntervalMs) {
      log.warn({ reason, secondsLeft }, 'the database is not available yet: waiting for it')
      lastLoggedAt = now
    }
    await pause(retryMs)
  }
}

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
