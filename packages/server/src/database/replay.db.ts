import { sql } from 'kysely'
import type { Executor } from './transaction.ts'

const selectSystem = sql<string>`(select system_identifier::text from pg_control_system())`

/** The state of a server that may be a replica. `replayed` is null unless it is one. */
export type ReplayState = { system: string; replayed: number | null }

/** Returns the identity of a server and the position up to which it has replayed the write-ahead log of its primary. */
export async function findReplayState(replica: Executor): Promise<ReplayState> {
  const { rows } = await sql<ReplayState>`
    select ${selectSystem} as system, case when pg_is_in_recovery()
      then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as replayed`.execute(replica)
  return rows[0] ?? { system: '', replayed: null }
}

/** Returns the identity of the primary and the position at which it has flushed its write-ahead log. */
export async function findWritePosition(primary: Executor): Promise<{ system: string; position: number }> {
  const { rows } = await sql<{ system: string; position: number }>`
    select ${selectSystem} as system,
      pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint as position`.execute(primary)
  return rows[0] ?? { system: '', position: 0 }
}
