import { Type } from 'typebox'
import { applicationRef, requireApplicationOfPath } from '../../../access/application.db.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../../http/endpoint/fields.ts'
import {
  pageFrom,
  pageOf,
  pageQuery,
  pagination,
  searchQuery,
  sortQuery,
} from '../../../http/endpoint/pagination.ts'
import { listApplicationTeamsPage } from './team-application.db.ts'
import { ApplicationTeam } from './team.ts'

const perPage = 15

export const listApplicationTeams = endpoint({
  method: 'GET',
  path: '/applications/:application_id/teams',
  scope: { workspace: 'applications:read', application: 'members:read' },
  summary: 'List application teams',
  description:
    'Lists the teams that have a role in the application. Their members can access it with this role.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object({
    ...sortQuery(['name'], 'name'),
    search: searchQuery('team name'),
    ...pageQuery(perPage),
  }),
  returns: pageOf(ApplicationTeam),
  load: requireApplicationOfPath,
  async handle({ db, application, query }) {
    const { search, sort: direction = 'asc' } = query
    const page = pageFrom(query, perPage)
    const owner = applicationRef(application)
    const { rows, total } = await listApplicationTeamsPage(db, owner, { search, direction }, page)
    return { message: 'Teams retrieved.', data: rows, pagination: pagination(page, total, rows.length) }
  },
})
