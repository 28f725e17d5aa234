import { sql } from 'kysely'
import { selectIsReachable, type ApplicationRef } from '../../../access/application.db.ts'
import { containsPattern, nameOrder } from '../../../database/expressions.ts'
import { listWithTotal } from '../../../database/page-with-total.ts'
import type { Executor, Tx } from '../../../database/transaction.ts'
import type { Actor } from '../../../http/endpoint/actor.ts'
import type { Page } from '../../../http/endpoint/pagination.ts'
import type { ApplicationRole } from '../../../http/endpoint/roles.ts'
import { notFound } from '../../../lib/problem.ts'
import { memberCountOfTeam } from './team.db.ts'

/** The role of a team in an application. */
export type TeamRole = { application_id: string; role: ApplicationRole }

const role = sql<ApplicationRole>`team_applications.role`

export type Direction = 'asc' | 'desc'

/** Lists the applications in which the team has a role, as far as the caller can access them. */
export async function listTeamApplicationsPage(
  db: Executor,
  actor: Actor,
  teamId: string,
  { search, direction }: { search: string | undefined; direction: Direction },
  page: Page,
) {
  let matching = db
    .selectFrom('team_applications')
    .innerJoin('applications', 'applications.id', 'team_applications.application_id')
    .where('team_applications.team_id', '=', teamId)
    .where('applications.deleted_at', 'is', null)
    .where(selectIsReachable(actor, 'applications.id'))
  if (search !== undefined) matching = matching.where('applications.name', 'ilike', containsPattern(search))
  return listWithTotal(
    matching
      .select(['applications.id', 'applications.name', 'applications.icon_object_key'])
      .select([role.as('role'), 'team_applications.added_at'])
      .orderBy(nameOrder('applications.name'), direction)
      .orderBy('applications.id', direction)
      .limit(page.limit)
      .offset(page.offset),
    matching,
  )
}

export type TeamApplicationRow = Awaited<ReturnType<typeof listTeamApplicationsPage>>['rows'][number]

function selectTeamsOf(db: Executor, { applicationId, workspaceId }: ApplicationRef) {
  return db
    .selectFrom('team_applications')
    .innerJoin('teams', 'teams.id', 'team_applications.team_id')
    .where('team_applications.application_id', '=', applicationId)
    .where('team_applications.workspace_id', '=', workspaceId)
}

const teamColumns = [
  'teams.id',
  'teams.name',
  'teams.description',
  memberCountOfTeam.as('member_count'),
  role.as('role'),
  'team_applications.added_at',
] as const

export async function listApplicationTeamsPage(
  db: Executor,
  owner: ApplicationRef,
  { search, direction }: { search: string | undefined; direction: Direction },
  page: Page,
) {
  let matching = selectTeamsOf(db, owner)
  if (search !== undefined) matching = matching.where('teams.name', 'ilike', containsPattern(search))
  return listWithTotal(
    matching
      .select(teamColumns)
      .orderBy(nameOrder('teams.name'), direction)
      .orderBy('teams.id', direction)
      .limit(page.limit)
      .offset(page.offset),
    matching,
  )
}

export async function requireApplicationTeam(db: Executor, owner: ApplicationRef, teamId: string) {
  return selectTeamsOf(db, owner)
    .select(teamColumns)
    .where('teams.id', '=', teamId)
    .executeTakeFirstOrThrow(notFound)
}

/** Returns the roles of the teams in all applications, including those in the trash. */
export async function listRolesOfTeams(db: Executor, teamIds: readonly string[]) {
  return db
    .selectFrom('team_applications')
    .select(['team_id', 'application_id', role.as('role')])
    .where('team_id', '=', (eb) => eb.fn.any(eb.val([...teamIds])))
    .orderBy('team_id')
    .orderBy('application_id')
    .execute()
}

/** Returns the roles of the team in all applications, including those in the trash. */
export async function listRolesOfTeam(tx: Tx, teamId: string): Promise<TeamRole[]> {
  const rows = await listRolesOfTeams(tx, [teamId])
  return rows.map(({ application_id, role }) => ({ application_id, role }))
}

/** Gives the team the role in the application, or changes it. */
export async function saveTeamApplication(
  tx: Tx,
  { applicationId, workspaceId }: ApplicationRef,
  teamId: string,
  role: ApplicationRole,
): Promise<void> {
  await tx
    .insertInto('team_applications')
    .values({ team_id: teamId, workspace_id: workspaceId, application_id: applicationId, role })
    .onConflict((conflict) => conflict.columns(['team_id', 'application_id']).doUpdateSet({ role }))
    .execute()
}

export async function removeTeamApplication(tx: Tx, applicationId: string, teamId: string): Promise<void> {
  await tx
    .deleteFrom('team_applications')
    .where('team_id', '=', teamId)
    .where('application_id', '=', applicationId)
    .execute()
}
