import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { givenChanges } from '../../http/endpoint/changes.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import { countOutsiders } from './distribution-group-member.db.ts'
import { saveDistributionGroup, requireDistributionGroupOfPath } from './distribution-group.db.ts'
import {
  changedIcon,
  DistributionGroup,
  DistributionGroupChanges,
  DistributionGroupId,
  distributionGroupResource,
  nameTaken,
} from './distribution-group.ts'

const hasOutsiders = problem(
  'conflict',
  'distribution_group.outsiders',
  'An internal group only accepts workspace members. Remove the members who do not belong to the workspace first (currently {count}).',
)

export const updateDistributionGroup = endpoint({
  method: 'PATCH',
  path: '/distribution-groups/:distribution_group_id',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Update a distribution group',
  description:
    'While the group is inactive, the links sent to its members do not work. Changing `icon_type` clears the value of the previous type.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  body: DistributionGroupChanges,
  refuses: [nameTaken, hasOutsiders],
  returns: one(DistributionGroup),
  load: requireDistributionGroupOfPath,
  async handle({ group: { id }, body, ...call }) {
    const changes = givenChanges(DistributionGroupChanges, body)
    const { group } = await conflictsAs({ distribution_groups_name: nameTaken }, () =>
      changeDistributionGroup(call, { id, action: 'distribution_group.updated' }, async (tx, before) => {
        if (changes.type === 'internal' && before.type !== 'internal') {
          const outsiders = await countOutsiders(tx, before)
          if (outsiders > 0) throw hasOutsiders({ count: outsiders })
        }
        const icon = changedIcon(distributionGroupResource(before), changes)
        await saveDistributionGroup(tx, id, { ...changes, ...icon })
        return {}
      }),
    )
    return { message: 'Distribution group updated.', data: distributionGroupResource(group) }
  },
})
