import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../../database/transaction.ts'
import { notFound } from '../../../lib/problem.ts'
import { selectWorkspaceName } from '../portal.db.ts'

/** What a visitor presents to open a private portal. */
type Proof = {
  sessionHash: string | null
  host: string
  /** An email address that a personal feed URL or an installation proves. */
  readerEmail: string | null
}

/**
 * Whether a portal lets the owner of an email address in: it allows the address or its domain, or the address is that of a
 * member of the workspace. Requires the table `portals`.
 */
export const selectIsAllowed = (email: RawBuilder<unknown>) => sql<boolean>`(
  ${email} = any(portals.allowed_visitors) or '@' || split_part(${email}, '@', 2) = any(portals.allowed_visitors)
  or exists (select from workspace_members join users on users.id = workspace_members.user_id
    where workspace_members.workspace_id = portals.workspace_id and lower(users.email) = ${email}))`

/**
 * Returns what the pages of a portal need of it, with the email address of a visitor who may open it although it is private.
 * The address is checked with every request, so that a change of the portal takes effect at once.
 */
export async function requirePortalWithVisitor(db: Executor, id: string, proof: Proof) {
  const visitor = sql<string | null>`(select candidates.email from (
      select portal_sessions.email from portal_sessions
      where portal_sessions.token_hash = ${proof.sessionHash} and portal_sessions.portal_id = portals.id
        and portal_sessions.host = ${proof.host} and portal_sessions.expires_at > now()
      union all select ${proof.readerEmail}::text where ${proof.readerEmail}::text is not null
    ) as candidates where ${selectIsAllowed(sql`candidates.email`)} limit 1)`
  return db
    .selectFrom('portals')
    .select([
      'id',
      'workspace_id',
      'name',
      'description',
      'type',
      'icon_object_key',
      'accent_color',
      'feedback_enabled',
      'updated_at',
      'subdomain',
      'custom_domain',
      sql<boolean>`custom_domain_verified_at is not null`.as('custom_domain_active'),
      selectWorkspaceName.as('workspace_subdomain'),
      sql<string | null>`case when type = 'private' then ${visitor} end`.as('visitor_email'),
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

export type PortalForVisitor = Awaited<ReturnType<typeof requirePortalWithVisitor>>

/** Returns the email address that a session of a portal proves, at any of its hosts. */
export async function findSessionEmail(
  db: Executor,
  { portalId, tokenHash }: { portalId: string; tokenHash: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('portal_sessions')
    .select('email')
    .where('token_hash', '=', tokenHash)
    .where('portal_id', '=', portalId)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return row?.email
}
