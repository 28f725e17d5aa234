import { Type } from 'typebox'
import { requireScope } from '../../http/endpoint/actor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import {
  pageFrom,
  pageOf,
  pageQuery,
  pagination,
  searchQuery,
  sortQuery,
} from '../../http/endpoint/pagination.ts'
import { listGroupMembersPage } from './distribution-group-member.db.ts'
import { DistributionGroupMember, memberResource } from './distribution-group-member.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroupId } from './distribution-group.ts'

const perPage = 15

export const listDistributionGroupMembers = endpoint({
  method: 'GET',
  path: '/distribution-groups/:distribution_group_id/members',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'List distribution group members',
  description:
    'Without `members:read`, a key sees no email addresses, cannot search or sort by them, and gets the members in the order in which they were added.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  query: Type.Object({
    ...sortQuery(['email', 'added_at'], 'email'),
    search: searchQuery('email address'),
    ...pageQuery(perPage),
  }),
  returns: pageOf(DistributionGroupMember),
  load: requireDistributionGroupOfPath,
  async handle({ db, actor, group, query }) {
    const canSeeEmails = actor.scopes.has('members:read')
    const { search, sort_by: sortBy = canSeeEmails ? 'email' : 'added_at', sort: direction = 'asc' } = query
    // Searching or sorting by email address would reveal the addresses one character at a time.
    if (search !== undefined || sortBy === 'email') requireScope(actor, { workspace: 'members:read' })
    const page = pageFrom(query, perPage)
    const { rows, total } = await listGroupMembersPage(db, group.id, { search, sortBy, direction }, page)
    const data = rows.map((row) => memberResource(row, actor))
    return { message: 'Members retrieved.', data, pagination: pagination(page, total, rows.length) }
  },
})
