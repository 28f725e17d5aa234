import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'

type Content = { streams_mode: string; stream_ids: string[]; releases_mode: string }
type Place = { portalId: string; applicationId: string; workspaceId: string }

/** How many of these streams the application has. */
export async function findStreamCount(db: Executor, applicationId: string, ids: string[]): Promise<number> {
  const { count } = await db
    .selectFrom('streams')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('application_id', '=', applicationId)
    .where('moving_to', 'is', null)
    .where(sql<boolean>`id = any(${ids})`)
    .executeTakeFirstOrThrow()
  return count
}

/** Puts the application into the portal, or replaces what the portal shows of it. */
export async function updatePortalApplication(tx: Tx, place: Place, content: Content): Promise<void> {
  const { portalId: portal_id, applicationId: application_id, workspaceId: workspace_id } = place
  const { streams_mode, stream_ids, releases_mode } = content
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

/** What a deleted stream leaves in portals. */
export async function deletePortalStreamsOf(tx: Tx, streamId: string): Promise<void> {
  await tx.deleteFrom('portal_streams').where('stream_id', '=', streamId).execute()
}

/** False where it was not in the portal. */
export async function deletePortalApplicationRow(
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
