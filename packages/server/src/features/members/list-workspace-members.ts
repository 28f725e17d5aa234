import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import {
  pageFrom,
  pageOf,
  pageQuery,
  pagination,
  searchQuery,
  sortQuery,
} from '../../http/endpoint/pagination.ts'
import { userResource, WorkspaceMember } from './member.ts'
import { listWorkspaceMembersPage } from './workspace-member.db.ts'

const perPage = 15

export const listWorkspaceMembers = endpoint({
  method: 'GET',
  path: '/workspace/members',
  scope: { workspace: 'members:read' },
  summary: 'List workspace members',
  description: 'Lists the people who belong to the workspace, with their roles.',
  query: Type.Object({
    ...sortQuery(['name', 'email', 'role', 'added_at'], 'name'),
    search: searchQuery('name and email address', 50),
    ...pageQuery(perPage),
  }),
  returns: pageOf(WorkspaceMember),
  async handle({ db, actor, config, query }) {
    const { search, sort_by: sortBy = 'name', sort: direction = 'asc' } = query
    const page = pageFrom(query, perPage)
    const filter = { search, sortBy, direction }
    const { rows, total } = await listWorkspaceMembersPage(db, actor.workspaceId, filter, page)
    return {
      message: 'Members retrieved.',
      data: rows.map((row) => userResource(row, config)),
      pagination: pagination(page, total, rows.length),
    }
  },
})
