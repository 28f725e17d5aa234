import { sql, type RawBuilder } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'
import { shortId } from '../../../lib/ids.ts'
import type { Attributes } from './filter.db.ts'
import { filterCondition } from './filter.db.ts'
import type { Filter } from './filter.ts'

export type ScimUserRow = {
  id: string
  user_name: string
  external_id: string | null
  name: string
  given_name: string | null
  family_name: string | null
  email: string
  is_active: boolean
  /** Whether the identity provider manages the person already, and whether it created the account. */
  is_managed: boolean
  is_created: boolean
  held_team_ids: string[]
  created_at: string
  updated_at: string
}

export type Range = { filter: Filter | undefined; offset: number; limit: number }

/** Selects the members of the workspace and the people whom the identity provider has deactivated. */
const selectPeople = (workspaceId: string) => sql`
  from (select user_id from workspace_members where workspace_id = ${workspaceId}
      union select user_id from scim_users where workspace_id = ${workspaceId}) as people
    join users u on u.id = people.user_id
    left join workspace_members m on m.workspace_id = ${workspaceId} and m.user_id = u.id
    left join scim_users s on s.workspace_id = ${workspaceId} and s.user_id = u.id`

const columns = sql`
  u.id, coalesce(s.user_name, u.email) as user_name, s.external_id, coalesce(m.name, s.name) as name,
  s.given_name, s.family_name, u.email, m.user_id is not null as is_active, s.user_id is not null as is_managed,
  coalesce(s.is_created, false) as is_created, coalesce(s.held_team_ids, '{}') as held_team_ids,
  coalesce(s.created_at, m.added_at) as created_at, coalesce(s.updated_at, m.added_at) as updated_at`

const attributes: Attributes = {
  id: { type: 'text', column: sql`u.id`, isExact: true },
  username: { type: 'text', column: sql`coalesce(s.user_name, u.email)` },
  externalid: { type: 'text', column: sql`s.external_id`, isExact: true },
  displayname: { type: 'text', column: sql`coalesce(m.name, s.name)` },
  'name.formatted': { type: 'text', column: sql`coalesce(m.name, s.name)` },
  'name.givenname': { type: 'text', column: sql`s.given_name` },
  'name.familyname': { type: 'text', column: sql`s.family_name` },
  active: { type: 'boolean', column: sql`(m.user_id is not null)` },
  emails: {
    type: 'elements',
    attributes: {
      value: { type: 'text', column: sql`u.email` },
      type: { type: 'text', column: sql`'work'::text` },
      primary: { type: 'boolean', column: sql`true` },
    },
    exists: (condition) => condition,
  },
}

/** Lists the people of the workspace in a fixed order. */
export async function listScimUsers(
  db: Executor,
  workspaceId: string,
  { filter, offset, limit }: Range,
): Promise<{ rows: ScimUserRow[]; total: number }> {
  const condition = filter === undefined ? sql<boolean>`true` : filterCondition(filter, attributes)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total ${selectPeople(workspaceId)} where ${condition}`.execute(db)
  const total = counted[0]?.total ?? 0
  if (limit === 0 || offset >= total) return { rows: [], total }
  const rows = await selectWhere(
    db,
    workspaceId,
    sql`${condition} order by u.id limit ${limit} offset ${offset}`,
  )
  return { rows, total }
}

async function selectWhere(
  db: Executor,
  workspaceId: string,
  rest: RawBuilder<unknown>,
): Promise<ScimUserRow[]> {
  const { rows } =
    await sql<ScimUserRow>`select ${columns} ${selectPeople(workspaceId)} where ${rest}`.execute(db)
  return rows
}

export async function findScimUser(
  db: Executor,
  workspaceId: string,
  id: string,
): Promise<ScimUserRow | undefined> {
  return (await selectWhere(db, workspaceId, sql`u.id = ${id}`))[0]
}

/** Returns another person of the workspace with this user name or external ID. */
export async function findSameIdentity(
  tx: Tx,
  workspaceId: string,
  { id, userName, externalId }: { id: string | undefined; userName: string; externalId: string | null },
): Promise<ScimUserRow | undefined> {
  const rows = await selectWhere(
    tx,
    workspaceId,
    sql`u.id is distinct from ${id ?? null}::text and (lower(coalesce(s.user_name, u.email)) = lower(${userName})
      or s.external_id = ${externalId}::text) limit 1`,
  )
  return rows[0]
}

/** Returns the account with this email address, locked until the end of the transaction. */
export async function findLockedAccount(tx: Tx, email: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'email_verified'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * Creates an account that nobody can sign in to before the identity provider or the mailbox proves who they are. Returns
 * undefined if another transaction has just created one.
 */
export async function insertProvisionedAccount(
  tx: Tx,
  email: string,
  name: string,
): Promise<string | undefined> {
  const row = await tx
    .insertInto('users')
    .values({ id: shortId(10), email, name, email_verified: true })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Makes others who add the person to a workspace wait until the end of the transaction. */
export async function lockAccount(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
}

export async function saveAccountEmail(tx: Tx, userId: string, email: string): Promise<void> {
  await tx.updateTable('users').set({ email }).where('id', '=', userId).execute()
}

type ScimUserFields = {
  userName: string
  externalId: string | null
  name: string
  givenName: string | null
  familyName: string | null
}

/** Saves what the identity provider manages of a person. */
export async function saveScimUser(
  tx: Tx,
  { workspaceId, userId, isCreated }: { workspaceId: string; userId: string; isCreated: boolean },
  fields: ScimUserFields,
): Promise<void> {
  const values = {
    user_name: fields.userName,
    external_id: fields.externalId,
    name: fields.name,
    given_name: fields.givenName,
    family_name: fields.familyName,
  }
  await tx
    .insertInto('scim_users')
    .values({ workspace_id: workspaceId, user_id: userId, is_created: isCreated, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet(values))
    .execute()
}

export async function removeScimUser(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('scim_users')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()
}

/** Remembers the teams of a person who is being deactivated, as far as the identity provider assigned them. */
export async function holdTeams(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await sql`
    update scim_users set held_team_ids = array(
        select team_id from team_members
        where workspace_id = ${workspaceId} and user_id = ${userId} and source = 'scim' order by team_id)
    where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(tx)
}

export async function clearHeldTeams(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx
    .updateTable('scim_users')
    .set({ held_team_ids: [] })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute()
}

/** Returns whether the identity provider has deactivated the person with this email address in the workspace. */
export async function isDeactivated(db: Executor, workspaceId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('scim_users')
    .innerJoin('users', 'users.id', 'scim_users.user_id')
    .leftJoin('workspace_members', (join) =>
      join
        .onRef('workspace_members.workspace_id', '=', 'scim_users.workspace_id')
        .onRef('workspace_members.user_id', '=', 'scim_users.user_id'),
    )
    .select('users.id')
    .where('scim_users.workspace_id', '=', workspaceId)
    .where(sql`lower(users.email)`, '=', email.toLowerCase())
    .where('workspace_members.user_id', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether a workspace other than this one has the person as a member, or manages them. */
export async function belongsElsewhere(db: Executor, workspaceId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ belongs: boolean }>`
    select exists (select from workspace_members where user_id = ${userId} and workspace_id <> ${workspaceId})
      or exists (select from scim_users where user_id = ${userId} and workspace_id <> ${workspaceId})
      as belongs`.execute(db)
  return rows[0]?.belongs === true
}
