import { sql } from 'kysely'
import type { Executor } from './transaction.ts'

/**
 * The position below which no transaction can commit any more. A reader that takes rows below it in the order of their
 * positions (`change_position()`) misses none, whatever commits at the same time. Use it in the statement that reads the
 * rows, so that both see the same snapshot.
 *
 * A reader must resume at the position of a row that it has read, never at this value: transaction ids that were only
 * rolled back can be assigned again after PostgreSQL crashes, but those of committed rows cannot.
 */
export const selectCommittedBefore = sql<number>`(pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  + coalesce((select transaction_offset from change_positions), 0))`

/** Raises the offset of positions if the database was loaded from a dump and its transaction ids started over. */
export async function raisePositionsAfterRestore(db: Executor): Promise<void> {
  await sql`
    insert into change_positions (transaction_offset)
    select latest.position + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    from (
      select max(position) as position from (select id from applications union all select id from workspaces) as owners
      cross join lateral (
        select position from changes where owner_id = owners.id order by position desc limit 1
      ) as newest
    ) as latest
    where latest.position >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      + coalesce((select transaction_offset from change_positions), 0)
    on conflict (is_only_row) do update set transaction_offset = excluded.transaction_offset`.execute(db)
}
