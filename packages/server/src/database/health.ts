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

/** Returns the time of the database clock, with which times in the database are compared. Clocks of nodes may differ. */
export async function readClock(db: Executor): Promise<Date> {
  const { now } = await db
    .selectNoFrom(sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`.as('now'))
    .executeTakeFirstOrThrow()
  return new Date(now)
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
