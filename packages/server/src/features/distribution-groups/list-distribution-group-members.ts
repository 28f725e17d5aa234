import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { pageFrom, pageOf, pageQuery, pagination, searchQuery, sortQuery } from '../../http/pagination.ts'
import { listGroupMembersPage } from './distribution-group-member.db.ts'
import { DistributionGroupMember } from './distribution-group-member.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroupId } from './distribution-group.ts'

const perPage = 15

export const listDistributionGroupMembers = endpoint({
  method: 'GET',
  path: '/distribution-groups/:distribution_group_id/members',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'List distribution group members',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  query: Type.Object({
    ...sortQuery(['email', 'added_at'], 'email'),
    search: searchQuery('email address'),
    ...pageQuery(perPage),
  }),
  returns: pageOf(DistributionGroupMember),
  load: requireDistributionGroupOfPath,
  async handle({ db, group, query }) {
    const { search, sort_by: sortBy = 'email', sort: direction = 'asc' } = query
    const page = pageFrom(query, perPage)
    const { rows, total } = await listGroupMembersPage(db, group.id, { search, sortBy, direction }, page)
    return { message: 'Members retrieved.', data: rows, pagination: pagination(page, total, rows.length) }
  },
})
