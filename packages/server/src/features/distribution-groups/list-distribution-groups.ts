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
import { listDistributionGroupsPage } from './distribution-group.db.ts'
import { DistributionGroup, distributionGroupResource } from './distribution-group.ts'

const perPage = 15

export const listDistributionGroups = endpoint({
  method: 'GET',
  path: '/distribution-groups',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'List distribution groups',
  description: 'Lists the groups of the workspace with the number of their members.',
  query: Type.Object({
    ...sortQuery(['name', 'created_at', 'updated_at'], 'name'),
    search: searchQuery('name, description and ID'),
    ...pageQuery(perPage),
  }),
  returns: pageOf(DistributionGroup),
  async handle({ db, actor, query }) {
    const { search, sort_by: sortBy = 'name', sort: direction = 'asc' } = query
    const page = pageFrom(query, perPage)
    const filter = { search, sortBy, direction }
    const { rows, total } = await listDistributionGroupsPage(db, actor.workspaceId, filter, page)
    return {
      message: 'Distribution groups retrieved.',
      data: rows.map(distributionGroupResource),
      pagination: pagination(page, total, rows.length),
    }
  },
})
