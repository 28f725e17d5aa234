import { sql } from 'kysely'
import { selectMatchesPerson } from '../../access/member.db.ts'
import { nameOrder } from '../../database/expressions.ts'
import { listWithTotal } from '../../database/page-with-total.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Page } from '../../http/endpoint/pagination.ts'
import { shortId } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import type { WorkspaceMemberRow } from './member.ts'

type Role = WorkspaceMemberRow['role']

function selectMembersOf(db: Executor, workspaceId: string) {
  return db
    .selectFrom('workspace_members')
    .innerJoin('users', 'users.id', 'workspace_members.user_id')
    .where('workspace_members.workspace_id', '=', workspaceId)
}

const columns = [
  'users.id',
  'workspace_members.name',
  'users.email',
  'users.profile_photo_url',
  'users.photo_object_key',
  'workspace_members.added_at',
] as const

const role = sql<Role>`workspace_members.role`

const sortKeys = {
  name: nameOrder('workspace_members.name'),
  email: sql`lower(users.email)`,
  role,
  added_at: sql`workspace_members.added_at`,
}

export type WorkspaceMemberFilter = {
  search: string | undefined
  sortBy: keyof typeof sortKeys
  direction: 'asc' | 'desc'
}

export async function listWorkspaceMembersPage(
  db: Executor,
  workspaceId: string,
  { search, sortBy, direction }: WorkspaceMemberFilter,
  page: Page,
) {
  let matching = selectMembersOf(db, workspaceId)
  if (search !== undefined) matching = matching.where(selectMatchesPerson(search))
  return listWithTotal(
    matching
      .select([...columns, role.as('role')])
      .orderBy(sortKeys[sortBy], direction)
      .orderBy('users.id', direction)
      .limit(page.limit)
      .offset(page.offset),
    matching,
  )
}

export async function requireWorkspaceMember(
  db: Executor,
  workspaceId: string,
  userId: string,
): Promise<WorkspaceMemberRow> {
  return selectMembersOf(db, workspaceId)
    .select([...columns, role.as('role')])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow(notFound)
}

/**
 * Locks the workspace owners until the end of the transaction and returns their IDs. The locks prevent the last two
 * owners from being removed concurrently.
 */
export async function listLockedOwners(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('workspace_members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .orderBy('user_id')
    .forUpdate()
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Adds the user to the workspace; an existing member keeps their name and role. */
export async function insertWorkspaceMember(
  tx: Tx,
  { workspaceId, userId, name, role }: { workspaceId: string; userId: string; name: string; role: string },
): Promise<void> {
  await tx
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: userId, name, role })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function assignWorkspaceRole(
  tx: Tx,
  workspaceId: string,
  userId: string,
  role: Role,
): Promise<void> {
  await tx
    .updateTable('workspace_members')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()
}

export async function renameWorkspaceMember(
  tx: Tx,
  workspaceId: string,
  userId: string,
  name: string,
): Promise<void> {
  await tx
    .updateTable('workspace_members')
    .set({ name })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()
}

/** Removes the user from the workspace and, by cascade, from its applications. */
export async function removeWorkspaceMember(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('workspace_members')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Returns the ID of the user with this email address, inserting one if needed. Concurrent calls return the same user.
 * `isProven` means that the user has proven access to the mailbox. `name` is used only for a new user.
 */
export async function findOrInsertUser(
  tx: Tx,
  { email, name = '', isProven }: { email: string; name?: string; isProven: boolean },
): Promise<string> {
  await tx
    .insertInto('users')
    .values({ id: shortId(10), email: email.toLowerCase(), name, email_verified: isProven })
    .onConflict((conflict) => {
      const sameEmail = conflict.expression(sql`lower(email)`)
      return isProven ? sameEmail.doUpdateSet({ email_verified: true }) : sameEmail.doNothing()
    })
    .execute()
  const { id } = await tx
    .selectFrom('users')
    .select('id')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    // The address must not change before the person has joined.
    .forKeyShare()
    .executeTakeFirstOrThrow()
  return id
}

/** Locks the user until the end of the transaction and returns the key of the uploaded photo, if there is one. */
export async function requireLockedPhoto(tx: Tx, userId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('users')
    .select('photo_object_key')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  return row.photo_object_key
}

export async function saveUserPhoto(tx: Tx, userId: string, key: string | null): Promise<void> {
  await tx.updateTable('users').set({ photo_object_key: key }).where('id', '=', userId).execute()
}

/** Returns whether the workspace has an owner. */
export async function findAnyOwner(db: Executor, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspace_members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether the user belongs to a workspace other than this one. */
export async function findOtherMembership(
  db: Executor,
  workspaceId: string,
  userId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('workspace_members')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('workspace_id', '<>', workspaceId)
    .executeTakeFirst()
  return row !== undefined
}

/** Records that these users no longer have a second factor. */
export async function recordLostSecondFactors(tx: Tx, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  await tx.updateTable('users').set({ two_factor_enabled: false }).where('id', 'in', userIds).execute()
}
