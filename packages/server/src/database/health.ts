import { sql } from 'kysely'
import type { Db, Executor } from './transaction.ts'

/** Resolves if the database responds; otherwise throws an `unavailable` Problem. */
export async function checkDatabase(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
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
