import { sql } from 'kysely'
import type { Executor } from '../src/database/transaction.ts'
import { until } from './until.ts'

/** Waits until a statement of the service waits for a lock. */
export const untilLockWait = (db: Executor): Promise<true> =>
  until(
    'a statement waits for a lock',
    async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length > 0
    },
    { everyMs: 10 },
  )
