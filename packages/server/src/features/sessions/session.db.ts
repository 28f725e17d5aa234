import { sql } from 'kysely'
import { selectIsReachable } from '../../access/application.db.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import type { ApplicationRole, WorkspaceRole } from '../../http/endpoint/roles.ts'
import { notFound } from '../../lib/problem.ts'
import { selectSampleApplication } from '../sample-application/sample-application.db.ts'

export type SessionRow = {
  id: string
  token: string
  user_id: string
  expires_at: string
  /** The workspace in which the session acts, with the membership of the user; null if the user has no workspace. */
  workspace_id: string | null
  name: string | null
  role: WorkspaceRole | null
  /** The roles of the user by application; null for owners and admins, and if the user has no application. */
  application_roles: Record<string, ApplicationRole> | null
}

/**
 * Returns the sessions with these tokens that have not expired. A session acts in its selected workspace, or in the
 * first one that the user joined if none is selected or the user no longer belongs to it.
 */
export async function findValidSessions(db: Executor, tokens: string[]): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select sessions.id, sessions.token, sessions.user_id, sessions.expires_at,
      member.workspace_id, member.name, member.role, roles.application_roles
    from sessions
    left join lateral (
      select * from workspace_members where user_id = sessions.user_id
      order by workspace_id is not distinct from sessions.workspace_id desc, added_at, workspace_id limit 1
    ) as member on true
    left join lateral (
      select json_object_agg(application_id, effective.role order by application_id) as application_roles
      from effective_application_roles effective join applications on applications.id = application_id
      where user_id = sessions.user_id and effective.workspace_id = member.workspace_id
        and member.role = 'member' and deleted_at is null
    ) as roles on true
    where sessions.token = any(${tokens}::text[]) and sessions.expires_at > now()`.execute(db)
  return rows
}

/** Returns the user of a session with the attributes that the console shows. */
export async function requireUser(db: Executor, id: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'email_verified', 'profile_photo_url', 'photo_object_key', 'two_factor_enabled'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** Lists the workspaces to which the user belongs, with the user's name in each, starting with the one that the user joined first. */
export async function listWorkspacesOfUser(db: Executor, userId: string) {
  return db
    .selectFrom('workspace_members')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_members.workspace_id')
    .select([
      'workspaces.id',
      'workspaces.name',
      'workspaces.logo_object_key',
      'workspace_members.name as member_name',
      sql<WorkspaceRole>`workspace_members.role`.as('role'),
    ])
    .where('workspace_members.user_id', '=', userId)
    .orderBy('workspace_members.added_at')
    .orderBy('workspaces.id')
    .execute()
}

/** Returns the ID of the sample application of the workspace if the caller can access it. */
export async function findSampleApplicationId(db: Executor, actor: Actor): Promise<string | undefined> {
  const row = await selectSampleApplication(db, actor.workspaceId)
    .select('id')
    .where(selectIsReachable(actor, 'applications.id'))
    .executeTakeFirst()
  return row?.id
}
