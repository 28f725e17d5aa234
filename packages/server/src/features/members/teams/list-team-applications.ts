import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import {
  pageFrom,
  pageOf,
  pageQuery,
  pagination,
  searchQuery,
  sortQuery,
} from '../../../http/endpoint/pagination.ts'
import { listTeamApplicationsPage } from './team-application.db.ts'
import { requireTeamOfPath } from './team.db.ts'
import { TeamApplication, teamApplicationResource, TeamId } from './team.ts'

const perPage = 15

export const listTeamApplications = endpoint({
  method: 'GET',
  path: '/workspace/teams/:team_id/applications',
  scope: { workspace: 'members:read' },
  summary: 'List team applications',
  description:
    'Lists the applications in which the team has a role. Members of the workspace see only the applications that they can access.',
  params: Type.Object({ team_id: TeamId }),
  query: Type.Object({
    ...sortQuery(['name'], 'name'),
    search: searchQuery('application name'),
    ...pageQuery(perPage),
  }),
  returns: pageOf(TeamApplication),
  load: requireTeamOfPath,
  async handle({ db, actor, config, team, query }) {
    const { search, sort: direction = 'asc' } = query
    const page = pageFrom(query, perPage)
    const { rows, total } = await listTeamApplicationsPage(db, actor, team.id, { search, direction }, page)
    return {
      message: 'Applications retrieved.',
      data: rows.map((row) => teamApplicationResource(row, config)),
      pagination: pagination(page, total, rows.length),
    }
  },
})
