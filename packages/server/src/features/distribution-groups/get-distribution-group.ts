import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroup, DistributionGroupId, distributionGroupResource } from './distribution-group.ts'

export const getDistributionGroup = endpoint({
  method: 'GET',
  path: '/distribution-groups/:distribution_group_id',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'Get a distribution group',
  description: 'Returns the name, description and number of members of one group.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  returns: one(DistributionGroup),
  load: requireDistributionGroupOfPath,
  async handle({ group }) {
    return { message: 'Distribution group retrieved.', data: distributionGroupResource(group) }
  },
})
