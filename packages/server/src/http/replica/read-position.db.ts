import { sql } from 'kysely'
import type { Executor } from '../../database/transaction.ts'

/** Records that the replica must have replayed everything written so far before it serves reads of these callers. */
export async function saveReadPositions(db: Executor, callerIds: readonly string[]): Promise<void> {
  await sql`
    insert into read_positions (caller_id, position)
    select distinct caller_id, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint
    from unnest(${callerIds}::text[]) as writers (caller_id)
    order by caller_id
    on conflict (caller_id) do update set position = excluded.position, updated_at = now()`.execute(db)
}

/** Returns the positions of the callers that have one. */
export async function findReadPositions(
  db: Executor,
  callerIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('read_positions')
    .select(['caller_id', 'position'])
    .where('caller_id', '=', sql<string>`any(${callerIds}::text[])`)
    .execute()
  return new Map(rows.map(({ caller_id, position }) => [caller_id, position]))
}

/** Deletes up to `limit` positions of callers that have not written for `days` days. Returns the number deleted. */
export async function deleteSomeOldReadPositions(db: Executor, days: number, limit: number): Promise<number> {
  const result = await sql`
    delete from read_positions where caller_id in (
      select caller_id from read_positions where updated_at <= now() - make_interval(hours => ${days * 24}::int)
      limit ${limit} for update skip locked)`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
