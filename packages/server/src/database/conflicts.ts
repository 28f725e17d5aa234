import type { Problem } from '../lib/problem.ts'
import { violatedConstraint } from './errors.ts'
import type { Constraint } from './tables.ts'

export type Conflicts = Readonly<Partial<Record<Constraint, () => Problem>>>

/**
 * Runs a write; where it violates a constraint or unique index named here, the caller gets the Problem instead. It goes
 * around `inTransaction`, never inside: PostgreSQL has given up the transaction by then.
 */
export async function conflictsAs<T>(problems: Conflicts, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const constraint = violatedConstraint(error)
    const problem = constraint === undefined ? undefined : problems[constraint as Constraint]
    throw problem === undefined ? error : problem()
  }
}
