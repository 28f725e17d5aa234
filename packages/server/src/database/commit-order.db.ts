import { sql } from 'kysely'
import type { Executor } from './transaction.ts'

/**
 * Selects the position below which no transaction can still commit. Use it in the statement that reads the rows, so
 * that both come from one snapshot. Resume at the position of the last row read, never at this value: after a crash,
 * PostgreSQL can reuse the IDs of uncommitted transactions, so new rows can have positions below it.
 */
export const selectCommittedBefore = sql<number>`(pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  + coalesce((select transaction_offset from change_positions), 0))`

/**
 * Raises the position offset if the database was restored from a dump, because transaction IDs start over in the
 * restored database.
 */
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
