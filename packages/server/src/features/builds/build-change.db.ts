import type { Updateable } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Tx } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'
import { insertBuildLabels, requireBuild, type BuildRow } from './build.db.ts'

/** Holds the build until the end of the transaction; throws notFound when it went to the trash meanwhile. */
export async function requireLockedBuild(tx: Tx, applicationId: string, id: string): Promise<BuildRow> {
  const held = await tx
    .selectFrom('builds')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (held === undefined) throw notFound()
  return requireBuild(tx, applicationId, id)
}

export async function updateBuild(tx: Tx, id: string, columns: Updateable<Database['builds']>) {
  await tx.updateTable('builds').set(columns).where('id', '=', id).execute()
}

/** Leaves the build with exactly these labels. */
export async function updateBuildLabels(
  tx: Tx,
  build: Pick<BuildRow, 'id' | 'application_id' | 'workspace_id'>,
  labels: { id: string }[],
): Promise<void> {
  await tx.deleteFrom('build_labels').where('build_id', '=', build.id).execute()
  const owner = { applicationId: build.application_id, workspaceId: build.workspace_id }
  await insertBuildLabels(tx, { id: build.id, ...owner }, labels)
}
