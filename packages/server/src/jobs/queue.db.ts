import { sql } from 'kysely'
import type { Executor } from '../database/transaction.ts'

/** Lists the jobs that a worker has started but not finished. */
export async function listActiveJobs(db: Executor): Promise<{ name: string; id: string }[]> {
  const { rows } = await sql<{ name: string; id: string }>`
    select name, id from pgboss.job where state = 'active'`.execute(db)
  return rows
}

/** Returns whether a job with this name is due that no worker has started yet. Jobs that are retried do not count. */
export async function hasUnstartedJobs(db: Executor, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pgboss.job where name = ${name} and state = 'created' and start_after <= now() limit 1`.execute(
    db,
  )
  return rows.length > 0
}
