import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import { deleteGroupMembers } from './distribution-group-member.db.ts'
import { Emails, lowerCase } from './distribution-group-member.ts'
import { requireDistributionGroupOfPath } from './distribution-group-of-path.ts'
import { DistributionGroupId } from './distribution-group.ts'

export const removeDistributionGroupMembers = endpoint({
  method: 'POST',
  path: '/distribution-groups/:distribution_group_id/members/remove',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Take many people out of a distribution group',
  description: 'By their addresses; who is not in the group is passed over.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  body: Type.Object({ emails: Emails }),
  returns: Type.Object({
    message: Type.String(),
    removed_count: Type.Integer({ description: 'How many of them were in the group.' }),
  }),
  visible: requireDistributionGroupOfPath,
  async handle({ group: { id }, body, ...call }) {
    const { note } = await changeDistributionGroup(call, { id, action: 'members_removed' }, async (tx) => ({
      note: { removed: await deleteGroupMembers(tx, id, lowerCase(body.emails)) },
    }))
    const { length } = note.removed
    return { message: `${length === 1 ? '1 member' : `${length} members`} removed.`, removed_count: length }
  },
})
