import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { noFilter, selectTotal } from './build-filter.db.ts'

/** The stored bytes of an application, including builds in the trash. */
export type StoredBytes = {
  total: number
  /** The part of `total` that is in custom stores. */
  selfHosted: number
}

const sumOfBytes = sql<number>`coalesce(sum(bytes), 0)::bigint`
const sumOfSelfHostedBytes = sql<number>`coalesce(sum(self_hosted_bytes), 0)::bigint`

export async function listStoredBytes(
  db: Executor,
  applicationIds: string[],
): Promise<Map<string, StoredBytes>> {
  const rows = await db
    .selectFrom('storage_usage')
    .select(['application_id', sumOfBytes.as('total'), sumOfSelfHostedBytes.as('selfHosted')])
    .where(sql<boolean>`application_id = any(${applicationIds})`)
    .groupBy('application_id')
    .execute()
  return new Map(rows.map(({ application_id, ...bytes }) => [application_id, bytes]))
}

/** Returns the stored bytes of an application and the number of its builds that are not in the trash. */
export async function findBuildTotals(db: Executor, applicationId: string) {
  const { count, ...storedBytes } = await db
    .selectFrom('storage_usage')
    .select([
      sumOfBytes.as('total'),
      sumOfSelfHostedBytes.as('selfHosted'),
      selectTotal(applicationId, noFilter).as('count'),
    ])
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return { storedBytes, count }
}

/** Merges the rows of each application that has more than `maxRows` rows into a single row. */
export async function mergeStorageUsage(db: Executor, maxRows: number): Promise<void> {
  await sql`
    with busy as (
      select application_id from storage_usage group by application_id having count(*) > ${maxRows}
    ), taken as (
      delete from storage_usage where application_id in (select application_id from busy) returning application_id, bytes, self_hosted_bytes
    )
    insert into storage_usage (application_id, bytes, self_hosted_bytes)
    select application_id, sum(bytes), sum(self_hosted_bytes) from taken group by application_id`.execute(db)
}

/** Counts the icons of imported applications. The trigger on applications only counts icons that change. */
export async function countImportedIcons(tx: Tx, applicationIds: readonly string[]): Promise<void> {
  await sql`
    insert into storage_usage (application_id, bytes)
    select applications.id, size_bytes
    from applications join stored_objects on stored_objects.key = icon_object_key
    where applications.id = any(${applicationIds})`.execute(tx)
}
