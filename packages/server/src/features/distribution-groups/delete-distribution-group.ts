import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Message } from '../../http/endpoint/responses.ts'
import {
  removeDistributionGroup,
  requireLockedDistributionGroup,
  requireDistributionGroupOfPath,
} from './distribution-group.db.ts'
import { distributionGroupAuditSnapshot, DistributionGroupId } from './distribution-group.ts'

export const deleteDistributionGroup = endpoint({
  method: 'DELETE',
  path: '/distribution-groups/:distribution_group_id',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Delete a distribution group',
  description:
    'The releases are kept. Links sent to members stop working, unless another of their groups has the same release.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  returns: Message,
  load: requireDistributionGroupOfPath,
  async handle({ group: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedDistributionGroup(tx, call.actor.workspaceId, id)
      await removeDistributionGroup(tx, id)
      await recordEvent(tx, call, {
        action: 'distribution_group.deleted',
        applicationId: null,
        subject: { type: 'distribution_group', id },
        before: distributionGroupAuditSnapshot(before),
      })
    })
    return { message: 'Distribution group deleted.' }
  },
})
