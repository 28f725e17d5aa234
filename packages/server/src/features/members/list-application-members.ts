import { Type } from 'typebox'
import { applicationRef, requireApplicationOfPath } from '../../access/application.db.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { ApplicationId } from '../../http/endpoint/fields.ts'
import {
  pageFrom,
  pageOf,
  pageQuery,
  pagination,
  searchQuery,
  sortQuery,
} from '../../http/endpoint/pagination.ts'
import { listApplicationMembersPage } from './application-member.db.ts'
import { ApplicationMember, userResource } from './member.ts'

const perPage = 15

export const listApplicationMembers = endpoint({
  method: 'GET',
  path: '/applications/:application_id/members',
  scope: { workspace: 'applications:read', application: 'members:read' },
  summary: 'List application members',
  description:
    'Includes owners and admins of the workspace, who are members of every application, and the members of teams that have a role in it.',
  params: Type.Object({ application_id: ApplicationId }),
  query: Type.Object({
    ...sortQuery(['name', 'email', 'role', 'resolved_role'], 'name'),
    search: searchQuery('name and email address', 50),
    ...pageQuery(perPage),
  }),
  returns: pageOf(ApplicationMember),
  load: requireApplicationOfPath,
  async handle({ db, application, config, query }) {
    const { search, sort_by: sortBy = 'name', sort: direction = 'asc' } = query
    const page = pageFrom(query, perPage)
    const owner = applicationRef(application)
    const filter = { search, sortBy, direction }
    const { rows, total } = await listApplicationMembersPage(db, owner, filter, page)
    return {
      message: 'Members retrieved.',
      data: rows.map((row) => userResource(row, config)),
      pagination: pagination(page, total, rows.length),
    }
  },
})
