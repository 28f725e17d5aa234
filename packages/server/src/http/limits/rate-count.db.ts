import { sql } from 'kysely'
import type { Executor } from '../../database/transaction.ts'
import type { WindowCount } from './window-counter.ts'

/**
 * Adds counts to the windows of their subjects and returns the totals of all nodes. A subject whose window has ended
 * starts a new one.
 */
export async function addRateCounts(db: Executor, counts: readonly WindowCount[]): Promise<WindowCount[]> {
  const column = <K extends keyof WindowCount>(name: K) => counts.map((count) => count[name])
  const { rows } = await sql<WindowCount>`
    insert into rate_counts as known (subject, count, ends_at)
    select subject, count, now() + make_interval(secs => left_ms / 1000)
    from unnest(${column('subject')}::text[], ${column('count')}::bigint[], ${column('leftMs')}::float8[])
      as added (subject, count, left_ms)
    order by subject -- Statements that lock the rows in the same order cannot deadlock.
    on conflict (subject) do update set
      count = excluded.count + case when known.ends_at <= now() then 0 else known.count end,
      ends_at = case when known.ends_at <= now() then excluded.ends_at else known.ends_at end
    returning subject, count, extract(epoch from ends_at - now())::float8 * 1000 as "leftMs"`.execute(db)
  return rows
}

/** Deletes up to `limit` windows that ended `days` days ago. Returns the number deleted. */
export async function deleteSomeOldRateCounts(db: Executor, days: number, limit: number): Promise<number> {
  const result = await sql`
    delete from rate_counts where subject in (
      select subject from rate_counts where ends_at <= now() - make_interval(hours => ${days * 24}::int)
      limit ${limit} for update skip locked)`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
