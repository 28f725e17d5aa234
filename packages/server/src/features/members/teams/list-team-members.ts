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
import { listTeamMembersPage } from './team-member.db.ts'
import { requireTeamOfPath } from './team.db.ts'
import { TeamId, TeamMember, teamMemberResource } from './team.ts'

const perPage = 15

export const listTeamMembers = endpoint({
  method: 'GET',
  path: '/workspace/teams/:team_id/members',
  scope: { workspace: 'members:read' },
  summary: 'List team members',
  description: 'Lists the people in the team and when they were added.',
  params: Type.Object({ team_id: TeamId }),
  query: Type.Object({
    ...sortQuery(['name', 'email', 'added_at'], 'name'),
    search: searchQuery('name and email address', 50),
    ...pageQuery(perPage),
  }),
  returns: pageOf(TeamMember),
  load: requireTeamOfPath,
  async handle({ db, config, team, query }) {
    const { search, sort_by: sortBy = 'name', sort: direction = 'asc' } = query
    const page = pageFrom(query, perPage)
    const { rows, total } = await listTeamMembersPage(db, team.id, { search, sortBy, direction }, page)
    return {
      message: 'Members retrieved.',
      data: rows.map((row) => teamMemberResource(row, config)),
      pagination: pagination(page, total, rows.length),
    }
  },
})
