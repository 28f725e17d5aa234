import { sql } from 'kysely'
import { selectCommittedBefore } from '../src/database/commit-order.db.ts'
import type { Service } from './harness.ts'
import { until } from './until.ts'

/**
 * Waits until no transaction is older than the latest change. Until then, readers do not see the latest changes, and a
 * new event stream starts with earlier ones. Transactions in the databases of other tests delay changes too.
 */
export const untilChangesAreSettled = ({ deps }: Service): Promise<true> =>
  until('no running transaction is older than the latest change', async () => {
    const { rows } = await sql<{ settled: boolean }>`
      select coalesce(max(position), 0) < ${selectCommittedBefore} as settled from changes`.execute(deps.db)
    return rows[0]?.settled === true
  })
