import { sql } from 'kysely'
import type { Executor } from '../database/transaction.ts'

/** Lists the jobs that a worker has started but not finished. */
export async function listActiveJobs(db: Executor): Promise<{ name: string; id: string }[]> {
  const { rows } = await sql<{ name: string; id: string }>`
    select name, id from pgboss.job where state = 'active'`.execute(db)
  return rows
}
