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
import { listTeamsPage } from './team.db.ts'
import { Team } from './team.ts'

const perPage = 15

export const listTeams = endpoint({
  method: 'GET',
  path: '/workspace/teams',
  scope: { workspace: 'members:read' },
  summary: 'List teams',
  description: 'Lists the teams of the workspace with the number of their members and applications.',
  query: Type.Object({
    ...sortQuery(['name', 'created_at', 'updated_at'], 'name'),
    search: searchQuery('name and description'),
    ...pageQuery(perPage),
  }),
  returns: pageOf(Team),
  async handle({ db, actor, query }) {
    const { search, sort_by: sortBy = 'name', sort: direction = 'asc' } = query
    const page = pageFrom(query, perPage)
    const { rows, total } = await listTeamsPage(db, actor, { search, sortBy, direction }, page)
    return { message: 'Teams retrieved.', data: rows, pagination: pagination(page, total, rows.length) }
  },
})
