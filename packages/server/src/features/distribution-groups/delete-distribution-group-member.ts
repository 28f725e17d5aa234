import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { notFound } from '../../lib/problem.ts'
import { changeDistributionGroup } from './change-distribution-group.ts'
import { deleteGroupMember, requireGroupMember } from './distribution-group-member.db.ts'
import { MemberId } from './distribution-group-member.ts'
import { requireDistributionGroupOfPath } from './distribution-group.db.ts'
import { DistributionGroupId } from './distribution-group.ts'

export const deleteDistributionGroupMember = endpoint({
  method: 'DELETE',
  path: '/distribution-groups/:distribution_group_id/members/:member_id',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Remove a distribution group member',
  description: 'Links sent to this person stop working, unless another of their groups has the same release.',
  params: Type.Object({ distribution_group_id: DistributionGroupId, member_id: MemberId }),
  returns: Message,
  async load(call) {
    const { group } = await requireDistributionGroupOfPath(call)
    return { group, member: await requireGroupMember(call.db, group.id, call.params.member_id) }
  },
  async handle({ group: { id }, member, ...call }) {
    await changeDistributionGroup(call, { id, action: 'distribution_group.members_removed' }, async (tx) => {
      if (!(await deleteGroupMember(tx, member.id))) throw notFound()
      return { removed: [member.email] }
    })
    return { message: 'Member removed.' }
  },
})
