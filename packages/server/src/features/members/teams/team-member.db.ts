import { sql } from 'kysely'
import { selectMatchesPerson } from '../../../access/member.db.ts'
import { nameOrder } from '../../../database/expressions.ts'
import { listWithTotal } from '../../../database/page-with-total.ts'
import type { Executor, Tx } from '../../../database/transaction.ts'
import type { Page } from '../../../http/endpoint/pagination.ts'
import { notFound } from '../../../lib/problem.ts'
import type { memberSources } from '../member.ts'

type MemberSource = (typeof memberSources)[number]

function selectMembersOf(db: Executor, teamId: string) {
  return db
    .selectFrom('team_members')
    .innerJoin('workspace_members', (join) =>
      join
        .onRef('workspace_members.workspace_id', '=', 'team_members.workspace_id')
        .onRef('workspace_members.user_id', '=', 'team_members.user_id'),
    )
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .where('team_members.team_id', '=', teamId)
}

const columns = [
  'users.id',
  'workspace_members.name',
  'users.email',
  'users.profile_photo_url',
  'users.photo_object_key',
  'team_members.added_at',
  sql<MemberSource>`team_members.source`.as('source'),
] as const

export type TeamMemberRow = {
  id: string
  name: string
  email: string
  profile_photo_url: string | null
  photo_object_key: string | null
  source: MemberSource
  added_at: string
}

const sortKeys = {
  name: nameOrder('workspace_members.name'),
  email: sql`lower(users.email)`,
  added_at: sql`team_members.added_at`,
}

export type TeamMemberFilter = {
  search: string | undefined
  sortBy: keyof typeof sortKeys
  direction: 'asc' | 'desc'
}

export async function listTeamMembersPage(
  db: Executor,
  teamId: string,
  { search, sortBy, direction }: TeamMemberFilter,
  page: Page,
): Promise<{ rows: TeamMemberRow[]; total: number }> {
  let matching = selectMembersOf(db, teamId)
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

/** Returns the email addresses of the members, which the audit log records. */
export async function listTeamEmails(db: Executor, teamId: string): Promise<string[]> {
  const rows = await selectMembersOf(db, teamId)
    .select('users.email')
    .orderBy(sql`lower(users.email)`)
    .execute()
  return rows.map(({ email }) => email)
}

/** Returns the email addresses of the users by ID. Throws 404 unless all of them are members of the workspace. */
export async function requireMemberEmails(
  tx: Tx,
  workspaceId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('workspace_members')
    .innerJoin('users', 'users.id', 'workspace_members.user_id')
    .select(['users.id', 'users.email'])
    .where('workspace_members.workspace_id', '=', workspaceId)
    .where('users.id', '=', (eb) => eb.fn.any(eb.val([...userIds])))
    .orderBy('users.id')
    .forKeyShare('workspace_members')
    .execute()
  const emails = new Map(rows.map(({ id, email }) => [id, email]))
  if (userIds.some((id) => !emails.has(id))) throw notFound()
  return emails
}

/** Adds the users to the team. Returns the IDs of those who were not in it. */
export async function insertTeamMembers(
  tx: Tx,
  { teamId, workspaceId, source = 'manual' }: { teamId: string; workspaceId: string; source?: MemberSource },
  userIds: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0) return []
  const rows = await tx
    .insertInto('team_members')
    .values(userIds.map((user_id) => ({ team_id: teamId, workspace_id: workspaceId, user_id, source })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Removes the users from the team. Returns the email addresses of those who were in it. */
export async function deleteTeamMembers(
  tx: Tx,
  teamId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .deleteFrom('team_members')
    .using('users')
    .whereRef('users.id', '=', 'team_members.user_id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', (eb) => eb.fn.any(eb.val([...userIds])))
    .returning('users.email')
    .execute()
  return rows.map(({ email }) => email).toSorted()
}

/** Makes members that the identity provider added count as added by hand, because their groups no longer matter. */
export async function keepSsoMembers(tx: Tx, teamId: string): Promise<void> {
  await tx
    .updateTable('team_members')
    .set({ source: 'manual' })
    .where('team_id', '=', teamId)
    .where('source', '=', 'sso')
    .execute()
}

export async function countTeamMembers(tx: Tx, teamId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('team_members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return count
}
