import { sql } from 'kysely'
import type { Executor } from './transaction.ts'

export type SessionSetting = { name: string; value: string }

/** The settings of every session that a client sets when it connects. A pooler must set those that it does not track. */
export const sessionSettings = {
  statement_timeout: '30s',
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '1min',
  parallel_setup_cost: '10000',
} as const

/** Returns the settings that the current session lacks. A lower timeout is accepted. */
export async function findMissingSessionSettings(db: Executor): Promise<SessionSetting[]> {
  const expected = Object.entries(sessionSettings)
  const { rows } = await sql<SessionSetting>`
    select expected.name, expected.value
    from unnest(${expected.map(([name]) => name)}::text[], ${expected.map(([, value]) => value)}::text[])
      as expected (name, value)
    where case when expected.name like '%timeout'
      then current_setting(expected.name)::interval not between interval '1 ms' and expected.value::interval
      else current_setting(expected.name)::float8 <> expected.value::float8 end`.execute(db)
  return rows
}
