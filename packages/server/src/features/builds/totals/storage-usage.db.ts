import { sql, type RawBuilder } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'
import { matchingOf, noFilter } from '../build-filter.db.ts'
import { selectTotal } from './build-totals.db.ts'

/** The stored bytes of an application, including builds in the trash. */
export type StoredBytes = {
  total: number
  /** The part of `total` that is in custom stores. */
  selfHosted: number
  /** The part of `total` that the storage does not hold, because builds share bytes. */
  shared: number
}

const sumOfBytes = sql<number>`coalesce(sum(bytes), 0)::bigint`
const sumOfSharedBytes = sql<number>`coalesce(sum(shared_bytes), 0)::bigint`
const sumOfSelfHostedBytes = sql<number>`coalesce(sum(self_hosted_bytes), 0)::bigint`

export async function listStoredBytes(
  db: Executor,
  applicationIds: string[],
): Promise<Map<string, StoredBytes>> {
  const rows = await db
    .selectFrom('storage_usage')
    .select([
      'application_id',
      sumOfBytes.as('total'),
      sumOfSelfHostedBytes.as('selfHosted'),
      sumOfSharedBytes.as('shared'),
    ])
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
      sumOfSharedBytes.as('shared'),
      selectTotal(matchingOf(applicationId, noFilter)).as('count'),
    ])
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
  return { storedBytes, count }
}

/**
 * Returns an expression for how much more the storage is freed of by the purge of builds than the sizes of their files:
 * less than 0 if other builds use their bytes, and more if they are the last that use bytes of deleted builds. `isGone`
 * selects from the builds that are not in the trash.
 */
export const selectFreedBesidesSizes = (
  applicationId: string,
  isGone: RawBuilder<boolean>,
): RawBuilder<number> =>
  sql<number>`(
    with shared as materialized (
      select key, shared_bytes from stored_objects where shared_in = ${applicationId} and deleted_at is null
    ), involved as materialized (
      select key from shared
      union select source_key from stored_object_sources where key in (select key from shared)
    ), gone as materialized (
      select object_key as key from involved join files on object_key = key join builds on builds.id = build_id
      where builds.deleted_at is null and ${isGone}
    ), used as (
      select source_key as key from stored_object_sources
      where key in (select key from shared where shared_bytes >= 0 except select key from gone)
      union
      select source_key from stored_object_sources
        join pending_upload_files on pending_upload_files.id = pending_upload_file_id
        join pending_uploads on pending_uploads.id = pending_upload_id
      where application_id = ${applicationId}
    )
    select coalesce(sum(case
      when shared_bytes < 0 then case when key in (select key from used) then 0 else -shared_bytes end
      when key not in (select key from gone) then 0
      when key in (select key from used) then -size_bytes
      else -shared_bytes end), 0)::bigint
    from stored_objects where key in (select key from involved))`

/** Merges the rows of each application that has more than `maxRows` rows into a single row. */
export async function mergeStorageUsage(db: Executor, maxRows: number): Promise<void> {
  await sql`
    with busy as (
      select application_id from storage_usage group by application_id having count(*) > ${maxRows}
    ), taken as (
      delete from storage_usage where application_id in (select application_id from busy) returning *
    )
    insert into storage_usage (application_id, bytes, self_hosted_bytes, shared_bytes)
    select application_id, sum(bytes), sum(self_hosted_bytes), sum(shared_bytes) from taken group by application_id`.execute(
    db,
  )
}

/** Counts the icons of imported applications. The trigger on applications only counts icons that change. */
export async function countImportedIcons(tx: Tx, applicationIds: readonly string[]): Promise<void> {
  await sql`
    insert into storage_usage (application_id, bytes)
    select applications.id, size_bytes
    from applications join stored_objects on stored_objects.key = icon_object_key
    where applications.id = any(${applicationIds})`.execute(tx)
}
