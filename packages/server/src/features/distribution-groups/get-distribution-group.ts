import { Type } from 'typebox'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireDistributionGroupOfPath } from './distribution-group-of-path.ts'
import { DistributionGroup, DistributionGroupId, distributionGroupResource } from './distribution-group.ts'

export const getDistributionGroup = endpoint({
  method: 'GET',
  path: '/distribution-groups/:distribution_group_id',
  scope: { workspace: 'distribution_groups:read' },
  summary: 'Get a distribution group',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  returns: one(DistributionGroup),
  visible: requireDistributionGroupOfPath,
  async handle({ group }) {
    return { message: 'Distribution group retrieved.', data: distributionGroupResource(group) }
  },
})
