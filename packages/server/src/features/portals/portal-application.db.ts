import { sql } from 'kysely'
import type { ApplicationRef } from '../../access/application.db.ts'
import type { Executor, Tx } from '../../database/transaction.ts'

type Contents = { streams_mode: string; stream_ids: string[]; releases_mode: string }

/** Counts the application's streams with these IDs, except deleted streams whose builds are still being moved. */
export async function countStreams(db: Executor, applicationId: string, ids: string[]): Promise<number> {
  const { count } = await db
    .selectFrom('streams')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .where('moving_to', 'is', null)
    .where(sql<boolean>`id = any(${ids})`)
    .executeTakeFirstOrThrow()
  return count
}

/** Adds the application to the portal, or replaces the streams and releases that the portal shows for it. */
export async function upsertPortalApplication(
  tx: Tx,
  portal_id: string,
  { applicationId: application_id, workspaceId: workspace_id }: ApplicationRef,
  { streams_mode, stream_ids, releases_mode }: Contents,
): Promise<void> {
  const modes = { streams_mode, releases_mode }
  await tx
    .insertInto('portal_applications')
    .values({ portal_id, application_id, workspace_id, ...modes })
    .onConflict((conflict) => conflict.columns(['portal_id', 'application_id']).doUpdateSet(modes))
    .execute()
  await tx
    .deleteFrom('portal_streams')
    .where('portal_id', '=', portal_id)
    .where('application_id', '=', application_id)
    .execute()
  if (stream_ids.length > 0)
    await tx
      .insertInto('portal_streams')
      .values(stream_ids.map((stream_id) => ({ portal_id, application_id, stream_id })))
      .execute()
  if (releases_mode === 'selective') return
  await tx
    .deleteFrom('portal_releases')
    .where('portal_id', '=', portal_id)
    .where('application_id', '=', application_id)
    .execute()
}

/** Removes a stream from all portals before the stream is deleted. */
export async function deletePortalStreams(tx: Tx, streamId: string): Promise<void> {
  await tx.deleteFrom('portal_streams').where('stream_id', '=', streamId).execute()
}

/** Removes the application from the portal; returns false if it was not in the portal. */
export async function removePortalApplication(
  tx: Tx,
  portalId: string,
  applicationId: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('portal_applications')
    .where('portal_id', '=', portalId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
