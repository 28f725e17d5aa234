import { sql, type Updateable } from 'kysely'
import { nameOrder } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'

type Mode = 'selective' | 'all' | 'none'

type PortalApplicationRow = {
  id: string
  name: string
  streams_mode: Mode
  stream_ids: string[]
  releases_mode: Mode
}

const applicationsOfPortal = sql<PortalApplicationRow[]>`coalesce((
  select json_agg(json_build_object(
    'id', a.id, 'name', a.name, 'streams_mode', pa.streams_mode, 'releases_mode', pa.releases_mode,
    'stream_ids', coalesce((select json_agg(ps.stream_id order by ps.stream_id) from portal_streams ps
      where ps.portal_id = pa.portal_id and ps.application_id = pa.application_id), '[]'))
    order by ${nameOrder('a.name')}, a.id)
  from portal_applications pa join applications a on a.id = pa.application_id
  where pa.portal_id = portals.id and a.deleted_at is null), '[]')`

/** The part of a portal's address at the domain of portals that stands for its workspace. */
export const selectWorkspaceName = sql<string>`(
  select coalesce(workspaces.subdomain, workspaces.id) from workspaces where workspaces.id = portals.workspace_id)`

function selectPortals(db: Executor, workspaceId: string) {
  return db
    .selectFrom('portals')
    .where('workspace_id', '=', workspaceId)
    .select([
      'id',
      'name',
      'description',
      'type',
      'subdomain',
      'icon_object_key',
      'custom_domain',
      'accent_color',
      'allowed_visitors',
      'feedback_enabled',
      'created_at',
      'updated_at',
      selectWorkspaceName.as('workspace_subdomain'),
      sql<boolean>`custom_domain_verified_at is not null`.as('custom_domain_active'),
      applicationsOfPortal.as('applications'),
    ])
}

export type PortalRow = Awaited<ReturnType<ReturnType<typeof selectPortals>['executeTakeFirstOrThrow']>>

export async function requirePortal(db: Executor, workspaceId: string, id: string): Promise<PortalRow> {
  return selectPortals(db, workspaceId).where('id', '=', id).executeTakeFirstOrThrow(notFound)
}

/** Loads the portal that the path identifies; throws 404 if it does not exist. */
export async function requirePortalOfPath(call: { db: Db; actor: Actor; params: { portal_id: string } }) {
  return { portal: await requirePortal(call.db, call.actor.workspaceId, call.params.portal_id) }
}

/** Locks the portal until the end of the transaction and returns it; throws 404 if it does not exist. */
export async function requireLockedPortal(tx: Tx, workspaceId: string, id: string): Promise<PortalRow> {
  await tx.selectFrom('portals').select('id').where('id', '=', id).forUpdate().execute()
  return requirePortal(tx, workspaceId, id)
}

export async function listPortalsPage(db: Executor, workspaceId: string, page: Page) {
  return listWithTotal(
    selectPortals(db, workspaceId).orderBy('created_at').orderBy('id').limit(page.limit).offset(page.offset),
    db.selectFrom('portals').where('workspace_id', '=', workspaceId),
  )
}

type PortalFields = {
  name: string
  description: string | null
  type: string
  subdomain: string | null
  custom_domain: string | null
  accent_color: string | null
  allowed_visitors: string[]
  feedback_enabled: boolean
}

export async function insertPortal(tx: Tx, workspaceId: string, fields: PortalFields): Promise<PortalRow> {
  const id = shortId(10)
  await tx
    .insertInto('portals')
    .values({ id, workspace_id: workspaceId, ...fields })
    .execute()
  return requirePortal(tx, workspaceId, id)
}

export async function savePortal(
  tx: Tx,
  id: string,
  changes: Updateable<Database['portals']>,
): Promise<void> {
  await tx.updateTable('portals').set(changes).where('id', '=', id).execute()
}

export async function removePortal(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('portals').where('id', '=', id).execute()
}

/** Returns the ID of the portal, in any workspace, that has verified this domain. */
export async function findVerifiedPortal(db: Executor, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('portals')
    .select('id')
    .where(sql`lower(custom_domain)`, '=', sql`lower(${domain})`)
    .where('custom_domain_verified_at', 'is not', null)
    .executeTakeFirst()
  return row?.id
}

/** Sets or clears the custom domain, which is unverified until `markPortalDomainVerified` is called. */
export async function setPortalDomain(tx: Tx, id: string, custom_domain: string | null): Promise<void> {
  await tx
    .updateTable('portals')
    .set({ custom_domain, custom_domain_verified_at: null })
    .where('id', '=', id)
    .execute()
}

export async function markPortalDomainVerified(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('portals')
    .set({ custom_domain_verified_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}
