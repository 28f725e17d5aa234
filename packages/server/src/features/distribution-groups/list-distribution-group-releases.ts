import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { pageFrom, pageOf, pageQuery, pagination, sortQuery } from '../../http/endpoint/pagination.ts'
import { listGroupReleasesPage } from './distribution-group-release.db.ts'
import { DistributionGroupRelease, groupReleaseResource } from './distribution-group-release.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroupId } from './distribution-group.ts'

const perPage = 15

export const listDistributionGroupReleases = endpoint({
  method: 'GET',
  path: '/distribution-groups/:distribution_group_id/releases',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'List distribution group releases',
  description:
    'Includes unpublished releases, which the members cannot see. Omits releases whose application is in the trash.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  query: Type.Object({ ...sortQuery(['added_at', 'title'], 'added_at'), ...pageQuery(perPage) }),
  returns: pageOf(DistributionGroupRelease),
  load: requireDistributionGroupOfPath,
  async handle({ db, group, query }) {
    const { sort_by: sortBy = 'added_at', sort: direction = 'asc' } = query
    const page = pageFrom(query, perPage)
    const { rows, total } = await listGroupReleasesPage(db, group.id, { sortBy, direction }, page)
    return {
      message: 'Releases retrieved.',
      data: rows.map(groupReleaseResource),
      pagination: pagination(page, total, rows.length),
    }
  },
})
