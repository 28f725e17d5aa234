import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'
import { findBuildIncludingTrashed, selectIsExpired } from './build.db.ts'

/** Returns the build even if it is in the trash; throws 404 if the application has no such build. */
export async function requireBuildIncludingTrashed(db: Executor, applicationId: string, id: string) {
  const build = await findBuildIncludingTrashed(db, id)
  if (build?.application_id !== applicationId) throw notFound()
  return build
}

export async function markBuildsTrashed(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .updateTable('builds')
    .set({ deleted_at: sql`now()` })
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
}

/** Restores builds and returns their IDs. Omits builds that are not in the trash or whose restore period has ended. */
export async function restoreTrashedBuilds(
  tx: Tx,
  applicationId: string,
  ids: string[],
  trashDays: number,
): Promise<string[]> {
  // Locks the rows before the clock is read. Otherwise, a build could be restored even though its restore period ended
  // while the update was waiting for the lock.
  await tx
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', applicationId)
    .where(sql<boolean>`id = any(${ids})`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const rows = await tx
    .updateTable('builds')
    .set({ deleted_at: null })
    .where('application_id', '=', applicationId)
    .where(sql<boolean>`id = any(${ids})`)
    .where(sql<boolean>`deleted_at > clock_timestamp() - make_interval(days => ${trashDays}::int)`)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export type Cursor = { id: string; at: string }

/** Lists the expired builds of a stream, starting after the cursor, oldest first. */
export async function listExpiredBuilds(
  db: Executor,
  streamId: string,
  after: Cursor | undefined,
  limit: number,
): Promise<Cursor[]> {
  let expired = db
    .selectFrom('builds')
    .innerJoin('streams', 'streams.id', 'builds.stream_id')
    .select(['builds.id', 'builds.created_at as at'])
    .where('builds.stream_id', '=', streamId)
    .where('streams.moving_to', 'is', null)
    .where('builds.deleted_at', 'is', null)
    // Follows from the condition below. PostgreSQL joins the stream after its builds, so that condition alone would read all of them.
    .where(
      sql<boolean>`builds.created_at <= (
        select now() - make_interval(days => retention_days) from streams where id = ${streamId})`,
    )
    .where(selectIsExpired)
  if (after !== undefined)
    expired = expired.where(
      sql<boolean>`(builds.created_at, builds.id) > (${after.at}::timestamptz, ${after.id})`,
    )
  return expired.orderBy('builds.created_at').orderBy('builds.id').limit(limit).execute()
}

/**
 * Locks the builds until the end of the transaction and returns the IDs of the locked builds. Skips builds that another
 * transaction has locked, for example to add them to a release or to share them.
 */
export async function listLockedBuilds(tx: Tx, ids: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('builds')
    .select('id')
    .where(sql<boolean>`id = any(${ids})`)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Returns the IDs of those builds that have expired. The caller must lock the builds first, so that they cannot be
 * added to a release or shared after this check.
 */
export async function listExpiredOf(tx: Tx, ids: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('builds')
    .innerJoin('streams', 'streams.id', 'builds.stream_id')
    .innerJoin('applications', 'applications.id', 'builds.application_id')
    .select('builds.id')
    .where(sql<boolean>`builds.id = any(${ids})`)
    .where('builds.deleted_at', 'is', null)
    .where('applications.deleted_at', 'is', null)
    .where('streams.moving_to', 'is', null)
    .where(selectIsExpired)
    .execute()
  return rows.map(({ id }) => id)
}
