import { sql, type RawBuilder } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'
import { filterCondition, type Attributes } from './filter.db.ts'
import type { Range } from './scim-user.db.ts'

export type ScimGroupRow = {
  id: string
  name: string
  external_id: string | null
  members: { value: string; display: string }[]
  created_at: string
  updated_at: string
}

/** The members of the team, and deactivated people who join it again when they are activated. */
const members = sql`(
  select tm.user_id, w.name from team_members tm
    join workspace_members w on w.workspace_id = tm.workspace_id and w.user_id = tm.user_id
    where tm.team_id = t.id
  union all
  select s.user_id, s.name from scim_users s
    where s.workspace_id = t.workspace_id and s.held_team_ids @> array[t.id]
      and not exists (select from workspace_members w
        where w.workspace_id = s.workspace_id and w.user_id = s.user_id)) as each`

const attributes: Attributes = {
  id: { type: 'text', column: sql`t.id`, isExact: true },
  displayname: { type: 'text', column: sql`t.name` },
  externalid: { type: 'text', column: sql`t.external_id`, isExact: true },
  members: {
    type: 'elements',
    attributes: {
      value: { type: 'text', column: sql`each.user_id`, isExact: true },
      display: { type: 'text', column: sql`each.name` },
    },
    exists: (condition) => sql`exists (select from ${members} where ${condition})`,
  },
}

function selectGroups(rest: RawBuilder<unknown>, hasMembers: boolean) {
  const list = hasMembers
    ? sql`(select coalesce(json_agg(json_build_object('value', each.user_id, 'display', each.name) order by each.user_id), '[]')
        from ${members})`
    : sql`'[]'::json`
  return sql<ScimGroupRow>`
    select t.id, t.name, t.external_id, ${list} as members, t.created_at, t.updated_at from teams t where ${rest}`
}

/** Lists the teams of the workspace in a fixed order. */
export async function listScimGroups(
  db: Executor,
  workspaceId: string,
  { filter, offset, limit, hasMembers }: Range & { hasMembers: boolean },
): Promise<{ rows: ScimGroupRow[]; total: number }> {
  const matching = filter === undefined ? sql<boolean>`true` : filterCondition(filter, attributes)
  const condition = sql`t.workspace_id = ${workspaceId} and ${matching}`
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from teams t where ${condition}`.execute(db)
  const total = counted[0]?.total ?? 0
  if (limit === 0 || offset >= total) return { rows: [], total }
  const page = sql`${condition} order by t.id limit ${limit} offset ${offset}`
  const { rows } = await selectGroups(page, hasMembers).execute(db)
  return { rows, total }
}

export async function findScimGroup(
  db: Executor,
  workspaceId: string,
  id: string,
): Promise<ScimGroupRow | undefined> {
  const { rows } = await selectGroups(sql`t.workspace_id = ${workspaceId} and t.id = ${id}`, true).execute(db)
  return rows[0]
}

/** Returns whether another team of the workspace has this name or external ID. */
export async function hasSameGroup(
  tx: Tx,
  workspaceId: string,
  { id, displayName, externalId }: { id: string | null; displayName: string; externalId: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from teams where workspace_id = ${workspaceId} and id is distinct from ${id}::text
      and (lower(name) = lower(${displayName}) or external_id = ${externalId}::text)) as found`.execute(tx)
  return rows[0]?.found === true
}

/** Returns those of the IDs that are people of the workspace, and whether each is a member or deactivated. */
export async function listKnownPeople(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, { email: string; isActive: boolean }>> {
  const { rows } = await sql<{ id: string; email: string; is_active: boolean }>`
    select u.id, u.email, m.user_id is not null as is_active
    from users u
      left join workspace_members m on m.user_id = u.id and m.workspace_id = ${workspaceId}
      left join scim_users s on s.user_id = u.id and s.workspace_id = ${workspaceId}
    where u.id = any(${[...ids]}::text[]) and (m.user_id is not null or s.user_id is not null)
    order by u.id`.execute(tx)
  return new Map(rows.map(({ id, email, is_active: isActive }) => [id, { email, isActive }]))
}

/** Records that the identity provider assigned these members to the team. */
export async function assignScimSource(tx: Tx, teamId: string, userIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('team_members')
    .set({ source: 'scim' })
    .where('team_id', '=', teamId)
    .where('user_id', '=', (eb) => eb.fn.any(eb.val([...userIds])))
    .where('source', '<>', 'scim')
    .execute()
}

/** Adds the team to those that deactivated people join again, or removes it. */
export async function changeHeldTeam(
  tx: Tx,
  { workspaceId, teamId }: { workspaceId: string; teamId: string },
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
): Promise<void> {
  if (added.length + removed.length === 0) return
  await sql`
    update scim_users set held_team_ids = case
        when user_id = any(${[...removed]}::text[]) then array_remove(held_team_ids, ${teamId})
        else array_append(array_remove(held_team_ids, ${teamId}), ${teamId}) end
    where workspace_id = ${workspaceId} and user_id = any(${[...added, ...removed]}::text[])`.execute(tx)
}
