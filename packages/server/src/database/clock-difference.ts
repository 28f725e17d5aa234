import { sql } from 'kysely'
import type { Executor } from './transaction.ts'

/** How far the database clock is ahead of `now`. */
export async function findClockDifferenceSeconds(db: Executor, now: Date): Promise<number> {
  const row = await db
    .selectNoFrom(
      sql<number>`extract(epoch from now() - ${now.toISOString()}::timestamptz)::float8`.as('seconds'),
    )
    .executeTakeFirstOrThrow()
  return row.seconds
}
