import { sql, type Updateable } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Tx } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'
import { insertBuildLabels, requireBuild, type BuildRow } from './build.db.ts'

/**
 * Locks the build until the end of the transaction and returns it; throws 404 if it does not exist or is in the trash.
 */
export async function requireLockedBuild(tx: Tx, applicationId: string, id: string): Promise<BuildRow> {
  await tx
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  return requireBuild(tx, applicationId, id)
}

export async function saveBuild(tx: Tx, id: string, columns: Updateable<Database['builds']>) {
  await tx.updateTable('builds').set(columns).where('id', '=', id).execute()
}

export async function replaceLabelsOfBuild(
  tx: Tx,
  build: Pick<BuildRow, 'id' | 'application_id' | 'workspace_id'>,
  labels: { id: string }[],
): Promise<void> {
  await tx.deleteFrom('build_labels').where('build_id', '=', build.id).execute()
  await insertBuildLabels(tx, build, labels)
  await tx
    .updateTable('builds')
    .set({ updated_at: sql`now()` })
    .where('id', '=', build.id)
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
