import { sql } from 'kysely'
import { asUuid } from '../../database/as-uuid.ts'
import { containsPattern } from '../../database/contains-pattern.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/pagination.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import type { DistributionGroupRow } from './distribution-group.db.ts'

type Group = Pick<DistributionGroupRow, 'id' | 'workspace_id'>

const columns = ['id', 'email', 'added_at'] as const
const lowered = (emails: string[]) => sql`any(select lower(e) from unnest(${emails}::text[]) as e)`

/** Whether a member of the workspace has the address `email`, given in lower case. */
const isOfWorkspace = (
  email: ReturnType<typeof sql>,
  workspaceId: ReturnType<typeof sql>,
) => sql<boolean>`exists (
  select from users u join workspace_members w on w.user_id = u.id
  where lower(u.email) = ${email} and w.workspace_id = ${workspaceId})`

/** Whether the member `m` of the group `g` is one that the group reaches: an internal group only who is of the workspace. */
export const selectIsReached = sql<boolean>`(g.type = 'external' or ${isOfWorkspace(
  sql`lower(m.email)`,
  sql`g.workspace_id`,
)})`

const sortKeys = { email: [sql`lower(email)`], added_at: [sql`added_at`, sql`id`] }

export type GroupMemberFilter = {
  search: string | undefined
  sortBy: keyof typeof sortKeys
  direction: 'asc' | 'desc'
}

export async function listGroupMembersPage(
  db: Executor,
  groupId: string,
  { search, sortBy, direction }: GroupMemberFilter,
  page: Page,
) {
  let matching = db.selectFrom('distribution_group_members').where('distribution_group_id', '=', groupId)
  if (search !== undefined) matching = matching.where('email', 'ilike', containsPattern(search))
  let rows = matching.select(columns)
  for (const key of sortKeys[sortBy]) rows = rows.orderBy(key, direction)
  const [found, counted] = await Promise.all([
    rows.limit(page.limit).offset(page.offset).execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows: found, total: counted.total }
}

/** Those of the addresses that are in the group. */
export async function listGroupMembersByEmail(db: Executor, groupId: string, emails: string[]) {
  return db
    .selectFrom('distribution_group_members')
    .select(columns)
    .where('distribution_group_id', '=', groupId)
    .where(sql<boolean>`lower(email) = ${lowered(emails)}`)
    .orderBy(sql`lower(email)`)
    .execute()
}

export async function requireGroupMember(db: Executor, groupId: string, id: string) {
  const row = await db
    .selectFrom('distribution_group_members')
    .select(columns)
    .where('distribution_group_id', '=', groupId)
    .where('id', '=', asUuid(id))
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** Positions, from 0, of the addresses that are of nobody in the workspace. */
export async function listOutsiderPositions(
  db: Executor,
  workspaceId: string,
  emails: string[],
): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select given.position from unnest(${emails}::text[]) with ordinality as given (email, position)
    where not ${isOfWorkspace(sql`lower(given.email)`, sql`${workspaceId}`)}
    order by given.position`.execute(db)
  return rows.map(({ position }) => position - 1)
}

/** How many of the group are not of the workspace. */
export async function findOutsiderCount(db: Executor, group: Group): Promise<number> {
  const { count } = await db
    .selectFrom('distribution_group_members as m')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('m.distribution_group_id', '=', group.id)
    .where(sql<boolean>`not ${isOfWorkspace(sql`lower(m.email)`, sql`${group.workspace_id}`)}`)
    .executeTakeFirstOrThrow()
  return count
}

/** Adds those who are not in the group yet; answers their addresses. */
export async function insertGroupMembers(tx: Tx, groupId: string, emails: string[]): Promise<string[]> {
  const ids = emails.map(() => uuidV7())
  const { rows } = await sql<{ email: string }>`
    insert into distribution_group_members (id, distribution_group_id, email)
    select given.id, ${groupId}, lower(given.email) from unnest(${ids}::uuid[], ${emails}::text[]) as given (id, email)
    on conflict (distribution_group_id, lower(email)) do nothing
    returning email`.execute(tx)
  return rows.map(({ email }) => email)
}

/** Takes those of the addresses out that are in the group; answers them. */
export async function deleteGroupMembers(tx: Tx, groupId: string, emails: string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('distribution_group_members')
    .where('distribution_group_id', '=', groupId)
    .where(sql<boolean>`lower(email) = ${lowered(emails)}`)
    .returning('email')
    .execute()
  return rows.map(({ email }) => email)
}

/** False where the member is gone already. */
export async function deleteGroupMember(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('distribution_group_members')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
