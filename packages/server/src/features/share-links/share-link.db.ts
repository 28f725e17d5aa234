import { sql, type Insertable, type Updateable } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { notFound } from '../../lib/problem.ts'

export type Shared = { buildId: string } | { releaseId: string }

const expired = sql<boolean>`(share_links.expires_at is not null and share_links.expires_at <= now())`

/** Whether a link still opens what it shares: not revoked, not expired, downloads left. */
export const selectIsUsable = sql<boolean>`(share_links.is_active
  and (share_links.expires_at is null or share_links.expires_at > now())
  and (share_links.max_downloads is null or share_links.download_count < share_links.max_downloads))`

function selectLinks(db: Executor) {
  return db
    .selectFrom('share_links')
    .innerJoin('applications', 'applications.id', 'share_links.application_id')
    .where('applications.deleted_at', 'is', null)
    .selectAll('share_links')
    .select(expired.as('expired'))
}

export type ShareLinkRow = Awaited<ReturnType<ReturnType<typeof selectLinks>['executeTakeFirstOrThrow']>>

export async function listShareLinksOf(db: Executor, shared: Shared): Promise<ShareLinkRow[]> {
  const links = selectLinks(db).orderBy('share_links.created_at').orderBy('share_links.id')
  return (
    'buildId' in shared
      ? links.where('share_links.build_id', '=', shared.buildId)
      : links.where('share_links.release_id', '=', shared.releaseId)
  ).execute()
}

export async function findShareLink(db: Executor, id: string): Promise<ShareLinkRow | undefined> {
  return selectLinks(db).where('share_links.id', '=', id).executeTakeFirst()
}

/** The link, if the caller may see it at all. */
export async function requireShareLink(db: Executor, actor: Actor, id: string): Promise<ShareLinkRow> {
  const row = await findShareLink(db, id)
  const isReachable =
    row?.workspace_id === actor.workspaceId &&
    (actor.applicationId === null || actor.applicationId === row.application_id)
  if (row === undefined || !isReachable) throw notFound()
  return row
}

/** Holds the link until the end of the transaction. */
export async function requireLockedShareLink(tx: Tx, id: string): Promise<ShareLinkRow> {
  const row = await selectLinks(tx)
    .where('share_links.id', '=', id)
    .forUpdate('share_links')
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** Throws notFound when the build went to the trash; none can be put there until the end of the transaction. */
export async function requireBuildToShare(tx: Tx, id: string): Promise<void> {
  const row = await tx
    .selectFrom('builds')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  if (row === undefined) throw notFound()
}

export async function insertShareLink(tx: Tx, link: Insertable<Database['share_links']>): Promise<void> {
  await tx.insertInto('share_links').values(link).execute()
}

export async function updateShareLinkRow(tx: Tx, id: string, columns: Updateable<Database['share_links']>) {
  await tx.updateTable('share_links').set(columns).where('id', '=', id).execute()
}

export async function deleteShareLinkRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('share_links').where('id', '=', id).execute()
}

/** Counts one download; false when the link allows none any more. The row lock makes the count exact. */
export async function updateDownloadCounted(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('share_links')
    .set((eb) => ({ download_count: eb('download_count', '+', 1) }))
    .where('id', '=', id)
    .where(selectIsUsable)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
