import { sql } from 'kysely'
import type { Executor } from '../database/transaction.ts'

/** Counts the jobs that are due or running by name. Jobs that start later are not counted. */
export async function countQueuedJobs(db: Executor) {
  const { rows } = await sql<{ name: string; due: number; active: number; oldest_seconds: number }>`
    select name, count(*) filter (where state <> 'active') as due, count(*) filter (where state = 'active') as active,
      coalesce(extract(epoch from now() - min(start_after) filter (where state <> 'active')), 0)::float8
        as oldest_seconds
    from pgboss.job where state <= 'active' and start_after <= now() group by name`.execute(db)
  return rows
}

/** Counts the webhook requests that are due and returns how long the oldest one has been due. */
export async function countDueWebhookRequests(
  db: Executor,
): Promise<{ due: number; oldest_seconds: number }> {
  return db
    .selectFrom('webhook_requests')
    .select((eb) => [
      eb.fn.countAll<number>().as('due'),
      sql<number>`coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8`.as('oldest_seconds'),
    ])
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', sql<string>`now()`)
    .executeTakeFirstOrThrow()
}

/** Counts the unfinished uploads by state. */
export async function countPendingUploads(db: Executor): Promise<{ state: string; count: number }[]> {
  return db
    .selectFrom('pending_uploads')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where('state', 'in', ['requested', 'verifying'])
    .groupBy('state')
    .execute()
}
