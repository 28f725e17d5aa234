import { sql } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'

/** Returns whether any team has members by groups of the identity provider. */
export async function findAnyMappedTeam(db: Executor): Promise<boolean> {
  const row = await db
    .selectFrom('teams')
    .select('id')
    .where('sso_group', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type MappedTeam = {
  id: string
  name: string
  workspace_id: string
  member_name: string
  email: string
  /** Whether the person is in the group of the team. */
  is_in_group: boolean
  /** Where the membership comes from; null if the person is not in the team. */
  source: string | null
}

/**
 * Locks the teams whose membership the groups change, in the workspaces of the person, and returns them in a fixed order.
 * The lock on the team also orders concurrent sign-ins.
 */
export async function lockTeamsOfGroups(
  tx: Tx,
  userId: string,
  groups: readonly string[],
): Promise<MappedTeam[]> {
  const { rows: ids } = await sql<{ id: string }>`
    select t.id from teams t
      join workspace_members w on w.workspace_id = t.workspace_id and w.user_id = ${userId}
      left join team_members m on m.team_id = t.id and m.user_id = w.user_id
    where t.sso_group = any(${[...groups]}::text[]) or m.source = 'sso'
    order by t.id for update of t`.execute(tx)
  const { rows } = await sql<MappedTeam>`
    select t.id, t.name, t.workspace_id, w.name as member_name, users.email, m.source,
      coalesce(t.sso_group = any(${[...groups]}::text[]), false) as is_in_group
    from teams t
      join workspace_members w on w.workspace_id = t.workspace_id and w.user_id = ${userId}
      join users on users.id = w.user_id
      left join team_members m on m.team_id = t.id and m.user_id = w.user_id
    where t.id = any(${ids.map(({ id }) => id)}::text[])
    order by t.id
    for key share of w`.execute(tx)
  return rows
}

/** Records that the membership now depends on the groups of the person. */
export async function assignSsoSource(tx: Tx, teamId: string, userId: string): Promise<void> {
  await tx
    .updateTable('team_members')
    .set({ source: 'sso' })
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .execute()
}
