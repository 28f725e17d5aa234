import { ControlledTransaction, type Kysely, type Transaction } from 'kysely'
import { Problem } from '../lib/problem.ts'
import { isConnectionLoss, isWorthRepeating } from './errors.ts'
import type { Database } from './tables.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>
export type Executor = Db | Tx

const attempts = 5

/**
 * Runs `work` in one transaction and commits. Deadlocks and serialization failures run it again from the
 * start, so it must have no effect outside the database. A connection lost is never a reason to run it
 * again: when it was lost during the commit, the Problem's code is `database.outcome_unknown`.
 * Inside of another transaction it is a savepoint of that one, which alone commits and runs again.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (isControlled(db)) return atSavepoint(db, work)
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(db, work)
    } catch (error) {
      if (!isWorthRepeating(error)) throw error
      if (attempt === attempts) throw busy(error)
      await pause(attempt)
    }
  }
}

async function runOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await db.startTransaction().execute()
  try {
    const result = await work(tx)
    await commit(tx)
    return result
  } finally {
    // gives the connection back; one that can not roll back is thrown away with what it held
    if (!tx.isCommitted)
      await tx
        .rollback()
        .execute()
        .catch(() => {})
  }
}

const isControlled = (db: Db): db is ControlledTransaction<Database> => db instanceof ControlledTransaction

async function atSavepoint<T>(
  outer: ControlledTransaction<Database>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const inner = await outer.savepoint('nested').execute()
  try {
    const result = await work(inner)
    await inner.releaseSavepoint('nested').execute()
    return result
  } catch (error) {
    await inner
      .rollbackToSavepoint('nested')
      .execute()
      .catch(() => {})
    throw error
  }
}

async function commit(tx: ControlledTransaction<Database>): Promise<void> {
  try {
    await tx.commit().execute()
  } catch (error) {
    if (!(error instanceof Problem) || !isConnectionLoss(error.cause)) throw error
    throw new Problem(
      'unavailable',
      'database.outcome_unknown',
      'The database went away while it saved the change: it may have been saved or not. Look before you try again.',
      { retryAfterSeconds: 1, cause: error.cause },
    )
  }
}

const busy = (cause: unknown): Problem =>
  new Problem(
    'unavailable',
    'database.busy',
    'Too many changes of the same data at once. Try again shortly.',
    {
      retryAfterSeconds: 1,
      cause,
    },
  )

const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt))
