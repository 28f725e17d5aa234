import { sql, type Insertable, type Updateable } from 'kysely'
import { requireApplication, type ApplicationRef } from '../../access/application.db.ts'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import { canReach, type Actor } from '../../http/endpoint/actor.ts'
import { notFound } from '../../lib/problem.ts'
import { requireBuild, selectIsShareLinkUsable } from '../builds/build.db.ts'
import { requireRelease } from '../releases/release.db.ts'
import { allNetworks, maxGuesses } from './share-link-guess.db.ts'

/** The build or release that a link shares; exactly one of the IDs is set. */
export type Shareable = ApplicationRef & { build_id: string | null; release_id: string | null }

type PathCall<P> = { db: Db; actor: Actor; params: { application_id: string } & P }

/** Loads the build that a path identifies, for endpoints that manage its share links. */
export async function requireBuildToShareOfPath({ db, actor, params }: PathCall<{ build_id: string }>) {
  const { id: applicationId, workspace_id } = await requireApplication(db, actor, params.application_id)
  const { id: build_id } = await requireBuild(db, applicationId, params.build_id)
  return { shareable: { applicationId, workspaceId: workspace_id, build_id, release_id: null } }
}

/** Loads the release that a path identifies, for endpoints that manage its share links. */
export async function requireReleaseToShareOfPath({ db, actor, params }: PathCall<{ release_id: string }>) {
  const { id: applicationId, workspace_id } = await requireApplication(db, actor, params.application_id)
  const { id: release_id } = await requireRelease(db, applicationId, params.release_id)
  return { shareable: { applicationId, workspaceId: workspace_id, build_id: null, release_id } }
}

const expired = sql<boolean>`(share_links.expires_at is not null and share_links.expires_at <= now())`

const selectLockedUntil = sql<string | null>`(
  select ends_at from share_link_guesses
  where share_link_id = share_links.id and network = ${allNetworks} and guess_count >= ${maxGuesses}::int and ends_at > now())`

function selectLinks(db: Executor) {
  return db
    .selectFrom('share_links')
    .innerJoin('applications', 'applications.id', 'share_links.application_id')
    .leftJoin('releases', 'releases.id', 'share_links.release_id')
    .where('applications.deleted_at', 'is', null)
    .selectAll('share_links')
    .select([
      expired.as('expired'),
      selectLockedUntil.as('locked_until'),
      'releases.status as release_status',
      'releases.published_at as release_published_at',
      'releases.version_sort as release_version_sort',
    ])
}

export type ShareLinkRow = Awaited<ReturnType<ReturnType<typeof selectLinks>['executeTakeFirstOrThrow']>>

export async function listShareLinks(
  db: Executor,
  { build_id, release_id }: Shareable,
): Promise<ShareLinkRow[]> {
  return selectLinks(db)
    .where('share_links.build_id', build_id === null ? 'is' : '=', build_id)
    .where('share_links.release_id', release_id === null ? 'is' : '=', release_id)
    .orderBy('share_links.created_at')
    .orderBy('share_links.id')
    .execute()
}

/** Counts the links to the release that can be used while the release is published. */
export async function countUsableLinksOfRelease(db: Executor, releaseId: string): Promise<number> {
  const { count } = await db
    .selectFrom('share_links')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('release_id', '=', releaseId)
    .where(selectIsShareLinkUsable)
    .executeTakeFirstOrThrow()
  return count
}

export async function findShareLink(db: Executor, id: string): Promise<ShareLinkRow | undefined> {
  return selectLinks(db).where('share_links.id', '=', id).executeTakeFirst()
}

/** Returns the link if the caller can access its application; throws 404 otherwise. */
export async function requireShareLink(db: Executor, actor: Actor, id: string): Promise<ShareLinkRow> {
  const row = await findShareLink(db, id)
  const isReachable = row?.workspace_id === actor.workspaceId && canReach(actor, row.application_id)
  if (row === undefined || !isReachable) throw notFound()
  return row
}

/** Locks the link until the end of the transaction and returns it; throws 404 if it was deleted. */
export async function requireLockedShareLink(tx: Tx, id: string): Promise<ShareLinkRow> {
  return selectLinks(tx)
    .where('share_links.id', '=', id)
    .forUpdate('share_links')
    .executeTakeFirstOrThrow(notFound)
}

/** Prevents the deletion of the build until the end of the transaction; throws 404 if it is in the trash. */
export async function requireBuildToShare(tx: Tx, id: string): Promise<void> {
  await tx
    .selectFrom('builds')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirstOrThrow(notFound)
}

export async function insertShareLink(tx: Tx, link: Insertable<Database['share_links']>): Promise<void> {
  await tx.insertInto('share_links').values(link).execute()
}

export async function saveShareLink(tx: Tx, id: string, changes: Updateable<Database['share_links']>) {
  await tx.updateTable('share_links').set(changes).where('id', '=', id).execute()
}

export async function removeShareLink(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('share_links').where('id', '=', id).execute()
}

/** Counts a download; returns false if the link is no longer usable. The row lock keeps the count exact. */
export async function countDownload(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('share_links')
    .set((eb) => ({ download_count: eb('download_count', '+', 1) }))
    .where('id', '=', id)
    .where(selectIsShareLinkUsable)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
