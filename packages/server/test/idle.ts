import { sql } from 'kysely'
import type { Service } from './harness.ts'
import { until } from './until.ts'

/**
 * Waits until the service has no job to run, so that only requests change rows. Jobs of the queue itself, which enqueue
 * scheduled jobs, do not count.
 */
export const untilIdle = ({ deps }: Service): Promise<true> =>
  until('no job is due', async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pgboss.job
      where state <= 'active' and start_after <= now() and name not like '\\_\\_pgboss\\_\\_%'`.execute(
      deps.db,
    )
    return rows[0]?.count === 0
  })
