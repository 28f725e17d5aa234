import { Type } from 'typebox'
import { conflictsAs } from '../../database/conflicts.ts'
import { one } from '../../http/answers.ts'
import { givenChanges } from '../../http/changes.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Problem } from '../../lib/problem.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import { findOutsiderCount } from './distribution-group-member.db.ts'
import { requireDistributionGroupOfPath } from './distribution-group-of-path.ts'
import { updateDistributionGroupRow } from './distribution-group.db.ts'
import {
  changedIcon,
  DistributionGroup,
  DistributionGroupChanges,
  DistributionGroupId,
  distributionGroupResource,
  nameTaken,
} from './distribution-group.ts'

export const updateDistributionGroup = endpoint({
  method: 'PATCH',
  path: '/distribution-groups/:distribution_group_id',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Change a distribution group',
  description:
    'Links in mails that went out stop while it is not active. A new icon_type takes the value of the old one away.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  body: DistributionGroupChanges,
  returns: one(DistributionGroup),
  visible: requireDistributionGroupOfPath,
  async handle({ group: { id }, body, ...call }) {
    const changes = givenChanges(DistributionGroupChanges, body)
    const { group } = await conflictsAs({ distribution_groups_name: nameTaken }, () =>
      changeDistributionGroup(call, { id, action: 'updated' }, async (tx, before) => {
        if (changes.type === 'internal' && before.type !== 'internal') {
          const outsiders = await findOutsiderCount(tx, before)
          if (outsiders > 0) throw hasOutsiders(outsiders)
        }
        const icon = changedIcon(distributionGroupResource(before), changes)
        await updateDistributionGroupRow(tx, id, { ...changes, ...icon })
        return { note: {} }
      }),
    )
    return { message: 'Distribution group updated.', data: distributionGroupResource(group) }
  },
})

const hasOutsiders = (count: number): Problem =>
  new Problem(
    'conflict',
    'distribution_group.outsiders',
    `An internal group takes members of the workspace only, and ${count} of this group are not: take them out first.`,
  )
