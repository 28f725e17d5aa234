import { sql } from 'kysely'
import type { Executor } from '../../../database/transaction.ts'
import { findVerifiedPortal } from '../portal.db.ts'

/**
 * Returns the ID of the portal at a host: the one that has verified the name as its custom domain, or the one whose subdomain
 * in its workspace has this name below the domain of portals.
 */
export async function findPortalAtHost(
  db: Executor,
  host: string,
  portalDomain: string | undefined,
): Promise<string | undefined> {
  const isBelow = portalDomain !== undefined && host.endsWith(`.${portalDomain}`)
  if (!isBelow) return findVerifiedPortal(db, host)
  const [subdomain = '', workspace, ...more] = host.slice(0, -portalDomain.length - 1).split('.')
  if (workspace === undefined || more.length > 0) return undefined
  const row = await db
    .selectFrom('portals')
    .innerJoin('workspaces', 'workspaces.id', 'portals.workspace_id')
    .select('portals.id')
    .where(sql`coalesce(workspaces.subdomain, workspaces.id)`, '=', workspace)
    .where('portals.subdomain', '=', subdomain)
    .executeTakeFirst()
  return row?.id
}
