import { ControlledTransaction, type Kysely, type Transaction } from 'kysely'
import { Problem } from '../lib/problem.ts'
import { isConnectionLoss, isRetryable, outcomeUnknown, tooManyConflicts } from './errors.ts'
import type { Database } from './tables.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>
export type Executor = Db | Tx

const maxAttempts = 5

/**
 * Runs `work` in a transaction and commits it. Retries after deadlocks and serialization failures, so `work` must have
 * no effect outside the database. Throws `database.outcome_unknown` if the connection is lost during the commit. Inside
 * another transaction, uses a savepoint and leaves the commit and retries to the outer transaction.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (isControlled(db)) return atSavepoint(db, work)
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(db, work)
    } catch (error) {
      if (!isRetryable(error)) throw error
      if (attempt === maxAttempts) throw tooManyConflicts({ cause: error })
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
    // Rolling back returns the connection to the pool, or discards the connection if the rollback fails.
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
    throw outcomeUnknown({ cause: error.cause })
  }
}

const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt))
