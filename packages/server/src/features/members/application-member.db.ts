import { sql } from 'kysely'
import type { ApplicationRef } from '../../access/application.db.ts'
import { selectMatchesPerson } from '../../access/member.db.ts'
import { nameOrder } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { notFound } from '../../lib/problem.ts'
import type { ApplicationMemberRow } from './member.ts'

const role = sql<ApplicationMemberRow['role']>`coalesce(application_members.role,
  case when workspace_members.role <> 'member' then workspace_members.role end, effective.role)`

const resolvedRole = sql<ApplicationMemberRow['resolved_role']>`effective.role`

const source = sql<ApplicationMemberRow['source']>`case
  when application_members.user_id is not null then 'application'
  when workspace_members.role <> 'member' then 'workspace'
  else 'team' end`

const teams = sql<ApplicationMemberRow['teams']>`(
  select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'role', a.role) order by t.name, t.id), '[]')
  from team_members m
    join team_applications a on a.team_id = m.team_id and a.application_id = effective.application_id
    join teams t on t.id = m.team_id
  where m.user_id = effective.user_id)`

/** Selects the people who can access the application: as members, through teams, or as owners and admins. */
function selectMembersOf(db: Executor, { applicationId, workspaceId }: ApplicationRef) {
  return db
    .selectFrom('effective_application_roles as effective')
    .innerJoin('workspace_members', (join) =>
      join
        .onRef('workspace_members.workspace_id', '=', 'effective.workspace_id')
        .onRef('workspace_members.user_id', '=', 'effective.user_id'),
    )
    .innerJoin('users', 'users.id', 'workspace_members.user_id')
    .leftJoin('application_members', (join) =>
      join
        .onRef('application_members.user_id', '=', 'workspace_members.user_id')
        .on('application_members.application_id', '=', applicationId),
    )
    .where('effective.application_id', '=', applicationId)
    .where('effective.workspace_id', '=', workspaceId)
}

const columns = [
  'users.id',
  'workspace_members.name',
  'users.email',
  'users.profile_photo_url',
  'users.photo_object_key',
  role.as('role'),
  resolvedRole.as('resolved_role'),
  source.as('source'),
  teams.as('teams'),
] as const

const sortKeys = {
  name: nameOrder('workspace_members.name'),
  email: sql`lower(users.email)`,
  role,
  resolved_role: resolvedRole,
}

export type ApplicationMemberFilter = {
  search: string | undefined
  sortBy: keyof typeof sortKeys
  direction: 'asc' | 'desc'
}

export async function listApplicationMembersPage(
  db: Executor,
  owner: ApplicationRef,
  { search, sortBy, direction }: ApplicationMemberFilter,
  page: Page,
) {
  let matching = selectMembersOf(db, owner)
  if (search !== undefined) matching = matching.where(selectMatchesPerson(search))
  return listWithTotal(
    matching
      .select(columns)
      .orderBy(sortKeys[sortBy], direction)
      .orderBy('users.id', direction)
      .limit(page.limit)
      .offset(page.offset),
    matching,
  )
}

export async function requireApplicationMember(
  db: Executor,
  owner: ApplicationRef,
  userId: string,
): Promise<ApplicationMemberRow> {
  return selectMembersOf(db, owner)
    .select(columns)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow(notFound)
}

/**
 * Locks the user's role assignment in the application until the end of the transaction and returns the role. Workspace
 * roles are not considered.
 */
export async function findLockedRole(tx: Tx, applicationId: string, userId: string) {
  const row = await tx
    .selectFrom('application_members')
    .select('role')
    .where('application_id', '=', applicationId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row?.role
}

export async function insertApplicationMember(
  tx: Tx,
  { applicationId, workspaceId }: ApplicationRef,
  userId: string,
  role: string,
): Promise<void> {
  await tx
    .insertInto('application_members')
    .values({ application_id: applicationId, workspace_id: workspaceId, user_id: userId, role })
    .execute()
}

export async function assignApplicationRole(
  tx: Tx,
  applicationId: string,
  userId: string,
  role: string,
): Promise<void> {
  await tx
    .updateTable('application_members')
    .set({ role })
    .where('application_id', '=', applicationId)
    .where('user_id', '=', userId)
    .execute()
}

export async function removeApplicationMember(tx: Tx, applicationId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('application_members')
    .where('application_id', '=', applicationId)
    .where('user_id', '=', userId)
    .execute()
}
