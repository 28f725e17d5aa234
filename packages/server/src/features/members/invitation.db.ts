import { sql } from 'kysely'
import { selectIsReachable } from '../../access/application.db.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import type { ApplicationRole } from '../../http/endpoint/roles.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import type { InvitationRow } from './invitation.ts'

const status = sql<InvitationRow['status']>`case
  when accepted_at is not null then 'accepted'
  when revoked_at is not null then 'revoked'
  when expires_at <= now() then 'expired'
  else 'open' end`

/** Selects the applications to which the invitation gives access, with the role in each. */
const selectApplications = sql<InvitationRow['applications']>`case
  when invitations.application_id is null then invitations.application_roles
  else jsonb_build_array(jsonb_build_object('application_id', invitations.application_id, 'role', invitations.role))
  end`

/** Selects the teams that the invited person joins, as far as they still exist. */
const selectTeams = sql<InvitationRow['teams']>`(
  select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) order by t.name, t.id), '[]') from teams t
  where t.workspace_id = invitations.workspace_id and t.id = any(invitations.team_ids))`

const columns = [
  'id',
  'email',
  sql<InvitationRow['role']>`role`.as('role'),
  'application_id',
  selectApplications.as('applications'),
  selectTeams.as('teams'),
  status.as('status'),
  'invited_by',
  'created_at',
  'expires_at',
  'accepted_at',
  'revoked_at',
] as const

type NewInvitation = {
  workspaceId: string
  applicationId: string | null
  /** The applications to which an invitation to the workspace adds the member. */
  applications: InvitationRow['applications']
  teamIds: string[]
  /** Whether the inviter can grant the admin role in applications. */
  canGrantAdmin: boolean
  email: string
  role: string
  tokenSha256: Buffer
  isTokenPrivate: boolean
  invitedBy: string
  validDays: number
  /** If set, the invitation expires no later than this time. */
  expiresBy: Date | null
}

/** Revokes expired invitations to the email address, because they would block a new invitation. */
export async function revokeExpiredInvitations(
  tx: Tx,
  { workspaceId, applicationId, email }: Pick<NewInvitation, 'workspaceId' | 'applicationId' | 'email'>,
): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ revoked_at: sql<string>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where(sql`coalesce(application_id, '')`, '=', applicationId ?? '')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', sql<string>`now()`)
    .execute()
}

export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<InvitationRow> {
  return tx
    .insertInto('invitations')
    .values({
      id: uuidV7(),
      workspace_id: invitation.workspaceId,
      application_id: invitation.applicationId,
      application_roles: sql`${JSON.stringify(invitation.applications)}::jsonb`,
      team_ids: invitation.teamIds,
      can_grant_admin: invitation.canGrantAdmin,
      email: invitation.email,
      role: invitation.role,
      token_sha256: invitation.tokenSha256,
      is_token_private: invitation.isTokenPrivate,
      invited_by: invitation.invitedBy,
      expires_at: sql<string>`least(now() + make_interval(days => ${invitation.validDays}::int), ${invitation.expiresBy}::timestamptz)`,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function listInvitationsPage(db: Executor, caller: Actor, page: Page) {
  const matching = db
    .selectFrom('invitations')
    .where('workspace_id', '=', caller.workspaceId)
    .where((eb) =>
      eb.or([eb('application_id', 'is', null), selectIsReachable(caller, 'invitations.application_id')]),
    )
  return listWithTotal(
    matching.select(columns).orderBy('created_at').orderBy('id').limit(page.limit).offset(page.offset),
    matching,
  )
}

export async function requireInvitation(db: Executor, workspaceId: string, id: string) {
  return db
    .selectFrom('invitations')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where(sql`id::text`, '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** Revokes the invitation; returns false if it was already accepted or revoked. */
export async function revokeInvitation(tx: Tx, id: string): Promise<boolean> {
  const result = await tx
    .updateTable('invitations')
    .set({ revoked_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Revokes and returns the open invitations that these users and keys created in the workspace. */
export async function revokeInvitationsBy(tx: Tx, workspaceId: string, creatorIds: string[]) {
  return tx
    .updateTable('invitations')
    .set({ revoked_at: sql<string>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('invited_by', '=', (eb) => eb.fn.any(eb.val(creatorIds)))
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(['id', 'application_id', 'email', 'role'])
    .execute()
}

/** Revokes the open invitations to this email address in the workspace. */
export async function revokeInvitationsTo(tx: Tx, workspaceId: string, email: string): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ revoked_at: sql<string>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
}

/**
 * Returns the invitation with this token, regardless of its state; throws 404 if it does not exist or its application
 * is in the trash.
 */
export async function requireInvitationByToken(db: Executor, tokenSha256: Buffer) {
  return db
    .selectFrom('invitations')
    .select([...columns, 'workspace_id', 'is_token_private', 'team_ids', 'can_grant_admin'])
    .where('token_sha256', '=', tokenSha256)
    .where(
      sql<boolean>`not exists (select from applications a where a.id = application_id and a.deleted_at is not null)`,
    )
    .executeTakeFirstOrThrow(notFound)
}

/** Returns the applications of an invitation that exist and are not in the trash. */
export async function listGrantedApplications(
  tx: Tx,
  { workspace_id: workspaceId, applications }: Pick<InvitationRow, 'applications'> & { workspace_id: string },
): Promise<InvitationRow['applications']> {
  if (applications.length === 0) return []
  const rows = await tx
    .selectFrom('applications')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (eb) => eb.fn.any(eb.val(applications.map(({ application_id }) => application_id))))
    .where('deleted_at', 'is', null)
    // Taken in a fixed order, which prevents deadlocks.
    .orderBy('id')
    .forKeyShare()
    .execute()
  const existing = new Set(rows.map(({ id }) => id))
  return applications.filter(({ application_id }) => existing.has(application_id))
}

/** Marks the invitation as accepted; returns false if it is no longer open. */
export async function markInvitationAccepted(tx: Tx, id: string): Promise<boolean> {
  const result = await tx
    .updateTable('invitations')
    .set({ accepted_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Returns whether the email address belongs to a member of the workspace. If applications are given, only a person who has
 * a role in one of them or inherits one from the workspace counts.
 */
export async function isMember(
  db: Executor,
  { workspaceId, applicationIds, email }: { workspaceId: string; applicationIds: string[]; email: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .innerJoin('workspace_members', 'workspace_members.user_id', 'users.id')
    .select([
      sql<boolean>`exists (select from effective_application_roles
        where user_id = users.id and application_id = any(${applicationIds}::text[]))`.as('has_application'),
    ])
    .where('workspace_members.workspace_id', '=', workspaceId)
    .where(sql`lower(users.email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
  if (row === undefined) return false
  return applicationIds.length === 0 || row.has_application
}

/** Returns what the invited person may see of the invitation with this token. Throws 404 if it does not exist. */
export async function requireInvitationPage(db: Executor, tokenSha256: Buffer) {
  return db
    .selectFrom('invitations')
    .innerJoin('workspaces', 'workspaces.id', 'invitations.workspace_id')
    .leftJoin('applications', 'applications.id', 'invitations.application_id')
    .leftJoin('workspace_members', (join) =>
      join
        .onRef('workspace_members.workspace_id', '=', 'invitations.workspace_id')
        .onRef('workspace_members.user_id', '=', 'invitations.invited_by'),
    )
    .select([
      'invitations.email',
      sql<InvitationRow['role']>`invitations.role`.as('role'),
      sql<InvitationRow['status']>`case
        when invitations.accepted_at is not null then 'accepted'
        when invitations.revoked_at is not null then 'revoked'
        when invitations.expires_at <= now() then 'expired'
        else 'open' end`.as('status'),
      'invitations.expires_at',
      'workspaces.name as workspace_name',
      'applications.name as application_name',
      // An application that was deleted in the meantime is left out, as it is when the invitation is accepted.
      sql<{ name: string; role: ApplicationRole }[]>`(
        select coalesce(json_agg(json_build_object('name', a.name, 'role', granted.role) order by a.name), '[]')
        from jsonb_to_recordset(${selectApplications}) as granted (application_id text, role text)
          join applications a on a.id = granted.application_id
        where a.workspace_id = invitations.workspace_id and a.deleted_at is null
      )`.as('applications'),
      selectTeams.as('teams'),
      'workspace_members.name as inviter_name',
    ])
    .where('invitations.token_sha256', '=', tokenSha256)
    .where('applications.deleted_at', 'is', null)
    .executeTakeFirstOrThrow(notFound)
}

/** Returns the open invitations to this email address. */
export async function listOpenInvitations(db: Executor, email: string) {
  return db
    .selectFrom('invitations')
    .select([
      'id',
      'workspace_id',
      'application_id',
      sql<InvitationRow['role']>`role`.as('role'),
      selectApplications.as('applications'),
      'team_ids',
      'can_grant_admin',
    ])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .where(
      sql<boolean>`not exists (select from applications a where a.id = application_id and a.deleted_at is not null)`,
    )
    .orderBy('created_at')
    .execute()
}
