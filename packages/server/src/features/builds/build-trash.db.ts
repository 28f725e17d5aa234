import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'
import { selectIsExpired } from '../retention/retention.db.ts'

/** The build, in the trash or not; throws notFound. */
export async function requireBuildOrTrashed(db: Executor, applicationId: string, id: string) {
  const row = await db
    .selectFrom('builds')
    .select(['id', 'deleted_at'])
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

export async function updateBuildsTrashed(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .updateTable('builds')
    .set({ deleted_at: sql`now()` })
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
}

/** Takes the build out of the trash while its days there last; false when it is not there or they are over. */
export async function updateBuildRestored(
  tx: Tx,
  applicationId: string,
  id: string,
  trashDays: number,
): Promise<boolean> {
  // first the lock, then the time: a purge that had it before has either taken the build or left it
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

/** The oldest builds of a stream whose days are over and which nothing keeps, after those before the cursor. */
export async function listExpiredBuilds(
  db: Executor,
  streamId: string,
  after: Cursor | undefined,
  most: number,
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
  return expired.orderBy('builds.created_at').orderBy('builds.id').limit(most).execute()
}

/**
 * Holds the builds until the end of the transaction; answers those that are there and that nobody else holds. A
 * transaction that puts one into a release or shares it holds it as well.
 */
export async function lockBuildsUnlessHeld(tx: Tx, ids: string[]): Promise<string[]> {
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

/** Which of them retention takes now; call it when they are held, so that it sees what was committed before. */
export async function listStillExpired(tx: Tx, ids: string[]): Promise<string[]> {
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
