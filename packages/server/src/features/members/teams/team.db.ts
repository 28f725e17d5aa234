import { sql, type Updateable } from 'kysely'
import { selectIsReachable } from '../../../access/application.db.ts'
import { containsPattern, nameOrder } from '../../../database/expressions.ts'
import { listWithTotal } from '../../../database/page-with-total.ts'
import type { Database } from '../../../database/tables.ts'
import type { Db, Executor, Tx } from '../../../database/transaction.ts'
import type { Actor } from '../../../http/endpoint/actor.ts'
import type { Page } from '../../../http/endpoint/pagination.ts'
import { shortId } from '../../../lib/ids.ts'
import { notFound } from '../../../lib/problem.ts'

export const memberCountOfTeam = sql<number>`(select count(*) from team_members m where m.team_id = teams.id)`

function selectTeams(db: Executor, actor: Actor) {
  const applicationCount = sql<number>`(select count(*) from team_applications t
    join applications a on a.id = t.application_id
    where t.team_id = teams.id and a.deleted_at is null and ${selectIsReachable(actor, 'a.id')})`
  return db
    .selectFrom('teams')
    .where('workspace_id', '=', actor.workspaceId)
    .select(['id', 'name', 'description', 'sso_group', 'created_at', 'updated_at'])
    .select([memberCountOfTeam.as('member_count'), applicationCount.as('application_count')])
}

export type TeamRow = Awaited<ReturnType<ReturnType<typeof selectTeams>['executeTakeFirstOrThrow']>>

export async function requireTeam(db: Executor, actor: Actor, id: string): Promise<TeamRow> {
  return selectTeams(db, actor).where('id', '=', id).executeTakeFirstOrThrow(notFound)
}

/** Loads the team that the path identifies. Throws 404 if it does not exist. */
export async function requireTeamOfPath(call: { db: Db; actor: Actor; params: { team_id: string } }) {
  return { team: await requireTeam(call.db, call.actor, call.params.team_id) }
}

/**
 * Locks the team until the end of the transaction, so that its members and its roles do not change at the same time, and
 * returns it. Throws 404 if it does not exist.
 */
export async function requireLockedTeam(tx: Tx, actor: Actor, id: string): Promise<TeamRow> {
  await lockTeams(tx, actor.workspaceId, [id])
  return requireTeam(tx, actor, id)
}

/** Locks those of the teams that exist in the workspace, in a fixed order, and returns them. */
export async function lockTeams(tx: Tx, workspaceId: string, ids: readonly string[]) {
  return tx
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Returns those of the teams that exist in the workspace. */
export async function listTeamsById(db: Executor, workspaceId: string, ids: readonly string[]) {
  return db
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .orderBy('id')
    .execute()
}

const sortKeys = { name: nameOrder('name'), created_at: sql`created_at`, updated_at: sql`updated_at` }

export type TeamFilter = {
  search: string | undefined
  sortBy: keyof typeof sortKeys
  direction: 'asc' | 'desc'
}

export async function listTeamsPage(
  db: Executor,
  actor: Actor,
  { search, sortBy, direction }: TeamFilter,
  page: Page,
) {
  let matching = db.selectFrom('teams').where('workspace_id', '=', actor.workspaceId)
  if (search !== undefined) {
    const pattern = containsPattern(search)
    matching = matching.where((eb) =>
      eb.or([eb('name', 'ilike', pattern), eb('description', 'ilike', pattern)]),
    )
  }
  const order = sql`${sortKeys[sortBy]} ${sql.raw(direction)}, id ${sql.raw(direction)}`
  // Selects the page first, so that members and applications are counted only for the teams on it.
  const pageIds = matching.select('id').orderBy(order).limit(page.limit).offset(page.offset)
  return listWithTotal(
    selectTeams(db, actor)
      .where(sql<boolean>`id = any(array(${pageIds}))`)
      .orderBy(order),
    matching,
  )
}

/** Inserts a team and returns its ID. */
export async function insertTeam(
  tx: Tx,
  workspaceId: string,
  fields: {
    name: string
    description: string | null
    sso_group: string | null
    external_id?: string | null
  },
): Promise<string> {
  const id = shortId(10)
  await tx
    .insertInto('teams')
    .values({ id, workspace_id: workspaceId, ...fields })
    .execute()
  return id
}

export async function saveTeam(tx: Tx, id: string, changes: Updateable<Database['teams']>): Promise<void> {
  await tx.updateTable('teams').set(changes).where('id', '=', id).execute()
}

/** Deletes the team and, by cascade, its members and roles. */
export async function removeTeam(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('teams').where('id', '=', id).execute()
}
