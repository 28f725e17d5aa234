import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { one } from '../../http/endpoint/responses.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import { clearBounced, requireGroupMember } from './distribution-group-member.db.ts'
import { DistributionGroupMember, MemberId, memberResource } from './distribution-group-member.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroupId } from './distribution-group.ts'

export const clearDistributionGroupMemberBounce = endpoint({
  method: 'DELETE',
  path: '/distribution-groups/:distribution_group_id/members/:member_id/bounce',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Clear a rejected address',
  description:
    'The member gets emails again. Emails that were not sent in the meantime are not sent later; to notify the member, add the release again with `notify`.',
  params: Type.Object({ distribution_group_id: DistributionGroupId, member_id: MemberId }),
  returns: one(DistributionGroupMember),
  async load(call) {
    const { group } = await requireDistributionGroupOfPath(call)
    return { group, member: await requireGroupMember(call.db, group.id, call.params.member_id) }
  },
  async handle({ group: { id }, member, ...call }) {
    const change = { id, action: 'distribution_group.member_bounce_cleared' as const }
    await changeDistributionGroup(call, change, async (tx) =>
      (await clearBounced(tx, member.id)) ? { cleared: [member.email] } : {},
    )
    const data = memberResource(await requireGroupMember(call.db, id, member.id), call.actor)
    return { message: 'Rejected address cleared.', data }
  },
})
