import type { Problem } from '../lib/problem.ts'
import { violatedConstraint } from './errors.ts'
import type { Constraint } from './tables.ts'

export type Conflicts = Readonly<Partial<Record<Constraint, () => Problem>>>

/**
 * Runs a write and throws the corresponding Problem if it violates a constraint or unique index in `problems`. Wrap
 * this function around `inTransaction`, not the other way around, because a violation aborts the transaction.
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
