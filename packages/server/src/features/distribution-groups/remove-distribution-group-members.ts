import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import { deleteGroupMembers } from './distribution-group-member.db.ts'
import { Emails, lowerCase, memberCount } from './distribution-group-member.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroupId } from './distribution-group.ts'

export const removeDistributionGroupMembers = endpoint({
  method: 'POST',
  path: '/distribution-groups/:distribution_group_id/members/remove',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Remove distribution group members',
  description: 'Removes members by email address. Addresses that are not in the group are ignored.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  body: Type.Object({ emails: Emails }),
  returns: Type.Object({
    message: Type.String(),
    removed_count: Type.Integer({ description: 'Number of people removed from the group.' }),
  }),
  load: requireDistributionGroupOfPath,
  async handle({ group: { id }, body, ...call }) {
    const { details } = await changeDistributionGroup(
      call,
      { id, action: 'distribution_group.members_removed' },
      async (tx) => ({ removed: await deleteGroupMembers(tx, id, lowerCase(body.emails)) }),
    )
    const removed_count = details.removed.length
    return { message: `${memberCount(removed_count)} removed.`, removed_count }
  },
})
