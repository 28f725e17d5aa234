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

/** Restores the build; returns false if it is not in the trash or its time there is over. */
export async function restoreTrashedBuild(
  tx: Tx,
  applicationId: string,
  id: string,
  trashDays: number,
): Promise<boolean> {
  // Locks the row before reading the clock, so that waiting for a purge cannot extend the time in the trash. A purge
  // that held the lock has either deleted the build or skipped it.
  await tx.selectFrom('builds').select('id').where('id', '=', id).forUpdate().execute()
  const row = await tx
    .updateTable('builds')
    .set({ deleted_at: null })
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .where(sql<boolean>`deleted_at > clock_timestamp() - make_interval(days => ${trashDays}::int)`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type Cursor = { id: string; at: string }

/** Lists expired builds of a stream after the cursor, oldest first. */
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
    .where(selectIsExpired)
  if (after !== undefined)
    expired = expired.where(
      sql<boolean>`(builds.created_at, builds.id) > (${after.at}::timestamptz, ${after.id})`,
    )
  return expired.orderBy('builds.created_at').orderBy('builds.id').limit(limit).execute()
}

/**
 * Locks the builds until the end of the transaction and returns the IDs of those locked. Skips builds that another
 * transaction has locked, for example one that adds a build to a release or shares it.
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

/** Returns the IDs of the expired builds. Lock the builds first, so that all committed changes are visible. */
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
