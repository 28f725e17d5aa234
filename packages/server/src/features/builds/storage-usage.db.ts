import { sql } from 'kysely'
import type { Executor } from '../../database/transaction.ts'
import { noFilter } from './build-conditions.db.ts'
import { selectTotal } from './build-count.db.ts'

const sumOfBytes = sql<number>`coalesce(sum(bytes), 0)::bigint`

/** Bytes that each application keeps, trash included: it fills the disk as well. */
export async function listStoredBytes(db: Executor, applicationIds: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('storage_usage')
    .select(['application_id', sumOfBytes.as('bytes')])
    .where(sql<boolean>`application_id = any(${applicationIds})`)
    .groupBy('application_id')
    .execute()
  return new Map(rows.map(({ application_id, bytes }) => [application_id, bytes]))
}

/** Bytes that an application keeps, and how many builds its list shows. */
export async function findBuildTotals(db: Executor, applicationId: string) {
  return db
    .selectFrom('storage_usage')
    .select([sumOfBytes.as('storedBytes'), selectTotal(applicationId, noFilter).as('count')])
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
}

/** Adds up what was noted of applications that have more than so many rows. */
export async function mergeStorageUsage(db: Executor, most: number): Promise<void> {
  await sql`
    with busy as (
      select application_id from storage_usage group by application_id having count(*) > ${most}
    ), taken as (
      delete from storage_usage where application_id in (select application_id from busy) returning application_id, bytes
    )
    insert into storage_usage (application_id, bytes)
    select application_id, sum(bytes) from taken group by application_id`.execute(db)
}
