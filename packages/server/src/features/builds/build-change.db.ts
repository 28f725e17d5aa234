import { sql, type Updateable } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Tx } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'
import { insertBuildLabels } from './build-label.db.ts'
import { listBuildsByIds, requireBuild, type BuildRow } from './build.db.ts'

/**
 * Locks the build until the end of the transaction and returns it; throws 404 if it does not exist or is in the trash.
 */
export async function requireLockedBuild(tx: Tx, applicationId: string, id: string): Promise<BuildRow> {
  if ((await lockBuilds(tx, applicationId, [id])).length === 0) throw notFound()
  return requireBuild(tx, applicationId, id)
}

/** Locks builds like `lockBuilds` and returns them. */
export async function listLockedBuildsOf(tx: Tx, applicationId: string, ids: string[]): Promise<BuildRow[]> {
  const rows = await listBuildsByIds(tx, await lockBuilds(tx, applicationId, ids))
  return rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}

/**
 * Locks the builds that exist and are not in the trash until the end of the transaction. Returns their IDs in the order
 * of `ids`.
 */
export async function lockBuilds(tx: Tx, applicationId: string, ids: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', applicationId)
    .where(sql<boolean>`id = any(${ids})`)
    .where('deleted_at', 'is', null)
    // A fixed order, so that two requests with the same builds do not deadlock.
    .orderBy('id')
    .forUpdate()
    .execute()
  const locked = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => locked.has(id))
}

export async function saveBuilds(tx: Tx, ids: string[], columns: Updateable<Database['builds']>) {
  await tx
    .updateTable('builds')
    .set(columns)
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
}

/** Replaces the labels of each build with its `labels`. */
export async function replaceLabelsOfBuilds(
  tx: Tx,
  builds: readonly (Pick<BuildRow, 'id' | 'application_id' | 'workspace_id'> & {
    labels: { id: string }[]
  })[],
): Promise<void> {
  if (builds.length === 0) return
  const ids = builds.map(({ id }) => id)
  await tx
    .deleteFrom('build_labels')
    .where(sql<boolean>`build_id = any(${ids})`)
    .execute()
  await insertBuildLabels(tx, builds)
  await tx
    .updateTable('builds')
    .set({ updated_at: sql`now()` })
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
}

/** Moves up to `limit` builds from one stream to another, including those in the trash; returns the moved builds. */
export async function moveSomeBuilds(tx: Tx, fromId: string, toId: string, limit: number) {
  const some = tx.selectFrom('builds').select('id').where('stream_id', '=', fromId).limit(limit)
  return tx
    .updateTable('builds')
    .set({ stream_id: toId })
    .where('id', 'in', some)
    .returning(['id', 'deleted_at'])
    .execute()
}
