import { sql } from 'kysely'
import { readOnly } from './errors.ts'
import type { Db, Executor } from './transaction.ts'

/**
 * Resolves if the database responds and accepts writes; otherwise throws an `unavailable` Problem. While its disk is full,
 * it need not accept writes, because downloads still work.
 */
export async function checkDatabase(db: Db, isDiskFull: () => boolean = () => false): Promise<void> {
  const { rows } = await sql<{ is_read_only: boolean }>`
    select current_setting('transaction_read_only') = 'on' as is_read_only`.execute(db)
  if (rows[0]?.is_read_only === true && !isDiskFull()) throw readOnly()
}

/** Returns how many seconds the database clock is ahead of `now`. */
export async function findClockDifferenceSeconds(db: Executor, now: Date): Promise<number> {
  const row = await db
    .selectNoFrom(
      sql<number>`extract(epoch from now() - ${now.toISOString()}::timestamptz)::float8`.as('seconds'),
    )
    .executeTakeFirstOrThrow()
  return row.seconds
}
