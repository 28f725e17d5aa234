import type { Problem } from '../lib/problem.ts'
import { violatedConstraint } from './errors.ts'

/**
 * Runs a write; where it violates a constraint or unique index named here, the caller gets the Problem instead. It goes
 * around `inTransaction`, never inside: PostgreSQL has given up the transaction by then.
 */
export async function conflictsAs<T>(
  problems: Readonly<Record<string, () => Problem>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const constraint = violatedConstraint(error)
    const problem = constraint === undefined ? undefined : problems[constraint]
    throw problem === undefined ? error : problem()
  }
}
