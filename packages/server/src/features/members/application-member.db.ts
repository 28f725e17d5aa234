import { sql } from 'kysely'
import type { ApplicationRef } from '../../access/application.db.ts'
import { containsPattern, nameOrder } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { notFound } from '../../lib/problem.ts'
import type { ApplicationMemberRow } from './member.ts'

const role = sql<ApplicationMemberRow['role']>`coalesce(application_members.role, workspace_members.role)`

const resolvedRole = sql<ApplicationMemberRow['resolved_role']>`case
  when workspace_members.role in ('owner', 'admin') then 'admin' else application_members.role end`

/** Selects the members added to the application, and the owners and admins of its workspace. */
function selectMembersOf(db: Executor, { applicationId, workspaceId }: ApplicationRef) {
  return db
    .selectFrom('workspace_members')
    .innerJoin('users', 'users.id', 'workspace_members.user_id')
    .leftJoin('application_members', (join) =>
      join
        .onRef('application_members.user_id', '=', 'workspace_members.user_id')
        .on('application_members.application_id', '=', applicationId),
    )
    .where('workspace_members.workspace_id', '=', workspaceId)
    .where((eb) =>
      eb.or([
        eb('application_members.user_id', 'is not', null),
        eb('workspace_members.role', 'in', ['owner', 'admin']),
      ]),
    )
}

const columns = [
  'users.id',
  'workspace_members.name',
  'users.email',
  'users.profile_photo_url',
  'users.photo_object_key',
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
  if (search !== undefined) {
    const pattern = containsPattern(search)
    matching = matching.where((eb) =>
      eb.or([eb('workspace_members.name', 'ilike', pattern), eb('users.email', 'ilike', pattern)]),
    )
  }
  return listWithTotal(
    matching
      .select([...columns, role.as('role'), resolvedRole.as('resolved_role')])
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
    .select([...columns, role.as('role'), resolvedRole.as('resolved_role')])
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
