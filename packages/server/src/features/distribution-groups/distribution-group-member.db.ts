import { sql } from 'kysely'
import { asUuid, containsPattern } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import type { DistributionGroupRow } from './distribution-group.db.ts'
import { selectLatestDownload, type LatestDownload } from './link/group-download.db.ts'

type Group = Pick<DistributionGroupRow, 'id' | 'workspace_id'>

const columns = [
  'id',
  'email',
  'added_at',
  'unsubscribed_at',
  'bounced_at',
  'bounce_reason',
  'digest',
  selectLatestDownload.as('latest_download'),
] as const

export type MemberRow = {
  id: string
  email: string
  added_at: string
  unsubscribed_at: string | null
  bounced_at: string | null
  bounce_reason: string | null
  digest: string | null
  latest_download: LatestDownload | null
}

const anyLowercase = (emails: string[]) => sql`any(select lower(e) from unnest(${emails}::text[]) as e)`

/** Whether the email address, which must be in lowercase, belongs to a workspace member. */
const isWorkspaceMember = (
  email: ReturnType<typeof sql>,
  workspaceId: ReturnType<typeof sql>,
) => sql<boolean>`exists (
  select from users u join workspace_members w on w.user_id = u.id
  where lower(u.email) = ${email} and w.workspace_id = ${workspaceId})`

/** Whether member `m` has access to the releases of group `g`. Internal groups are limited to workspace members. */
export const isEligible = sql<boolean>`(g.type = 'external' or ${isWorkspaceMember(
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
  return listWithTotal(rows.limit(page.limit).offset(page.offset), matching)
}

/** Returns the group members whose address is in `emails`, ignoring case. */
export async function listGroupMembersByEmail(db: Executor, groupId: string, emails: string[]) {
  return db
    .selectFrom('distribution_group_members')
    .select(columns)
    .where('distribution_group_id', '=', groupId)
    .where(sql<boolean>`lower(email) = ${anyLowercase(emails)}`)
    .orderBy(sql`lower(email)`)
    .execute()
}

export async function requireGroupMember(db: Executor, groupId: string, id: string) {
  return db
    .selectFrom('distribution_group_members')
    .select(columns)
    .where('distribution_group_id', '=', groupId)
    .where('id', '=', asUuid(id))
    .executeTakeFirstOrThrow(notFound)
}

/** Returns the zero-based positions of the addresses that do not belong to a workspace member. */
export async function listOutsiderPositions(
  db: Executor,
  workspaceId: string,
  emails: string[],
): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select input.position from unnest(${emails}::text[]) with ordinality as input (email, position)
    where not ${isWorkspaceMember(sql`lower(input.email)`, sql`${workspaceId}`)}
    order by input.position`.execute(db)
  return rows.map(({ position }) => position - 1)
}

/** Counts the group members who are not workspace members. */
export async function countOutsiders(db: Executor, group: Group): Promise<number> {
  const { count } = await db
    .selectFrom('distribution_group_members as m')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('m.distribution_group_id', '=', group.id)
    .where(sql<boolean>`not ${isWorkspaceMember(sql`lower(m.email)`, sql`${group.workspace_id}`)}`)
    .executeTakeFirstOrThrow()
  return count
}

/** Whether member `m` gets emails: the member is subscribed, and no mail server rejected the address. */
export const getsEmails = sql<boolean>`(m.unsubscribed_at is null and m.bounced_at is null)`

/** Finds a member with the name of the group, for the page on which the member unsubscribes. */
export async function findSubscription(db: Executor, memberId: string) {
  return db
    .selectFrom('distribution_group_members as m')
    .innerJoin('distribution_groups as g', 'g.id', 'm.distribution_group_id')
    .select([
      'm.id',
      'm.email',
      'm.unsubscribed_at',
      'm.digest',
      'g.digest as group_digest',
      'g.id as group_id',
      'g.name as group_name',
      'g.workspace_id',
    ])
    .where('m.id', '=', asUuid(memberId))
    .executeTakeFirst()
}

/** Subscribes or unsubscribes the member. Returns false if the member already was, or if there is none with this ID. */
export async function setSubscribed(tx: Tx, memberId: string, isSubscribed: boolean): Promise<boolean> {
  const row = await tx
    .updateTable('distribution_group_members')
    .set({ unsubscribed_at: isSubscribed ? null : sql<string>`now()` })
    .where('id', '=', asUuid(memberId))
    .where('unsubscribed_at', isSubscribed ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Sets how often the member gets emails. Returns false if that was already the case. */
export async function setMemberDigest(tx: Tx, memberId: string, digest: string): Promise<boolean> {
  const row = await tx
    .updateTable('distribution_group_members')
    .set({ digest })
    .where('id', '=', asUuid(memberId))
    .where(sql<boolean>`digest is distinct from ${digest}`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Records that the address was rejected for each of its memberships in the workspace that has no rejection yet. */
export async function setBounced(
  tx: Tx,
  { workspaceId, address, reason }: { workspaceId: string; address: string; reason: string },
) {
  const { rows } = await sql<{ email: string; group_id: string; group_name: string }>`
    update distribution_group_members m set bounced_at = now(), bounce_reason = ${reason}
    from distribution_groups g
    where g.id = m.distribution_group_id and g.workspace_id = ${workspaceId} and lower(m.email) = lower(${address})
      and m.bounced_at is null
    returning m.email, g.id as group_id, g.name as group_name`.execute(tx)
  return rows
}

/** Clears the rejection of the member. Returns false if there is none. */
export async function clearBounced(tx: Tx, memberId: string): Promise<boolean> {
  const row = await tx
    .updateTable('distribution_group_members')
    .set({ bounced_at: null, bounce_reason: null })
    .where('id', '=', memberId)
    .where('bounced_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Adds the addresses that are not yet in the group and returns them. */
export async function insertGroupMembers(tx: Tx, groupId: string, emails: string[]): Promise<string[]> {
  const ids = emails.map(() => uuidV7())
  const { rows } = await sql<{ email: string }>`
    insert into distribution_group_members (id, distribution_group_id, email)
    select input.id, ${groupId}, lower(input.email) from unnest(${ids}::uuid[], ${emails}::text[]) as input (id, email)
    on conflict (distribution_group_id, lower(email)) do nothing
    returning email`.execute(tx)
  return rows.map(({ email }) => email)
}

/** Removes the addresses from the group and returns those that were in it. */
export async function deleteGroupMembers(tx: Tx, groupId: string, emails: string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('distribution_group_members')
    .where('distribution_group_id', '=', groupId)
    .where(sql<boolean>`lower(email) = ${anyLowercase(emails)}`)
    .returning('email')
    .execute()
  return rows.map(({ email }) => email)
}

/** Removes the member; returns false if the member was already removed. */
export async function deleteGroupMember(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('distribution_group_members')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
