import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { Message } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireDistributionGroupOfPath } from './distribution-group-of-path.ts'
import { deleteDistributionGroupRow, requireLockedDistributionGroup } from './distribution-group.db.ts'
import { distributionGroupFacts, DistributionGroupId } from './distribution-group.ts'

export const deleteDistributionGroup = endpoint({
  method: 'DELETE',
  path: '/distribution-groups/:distribution_group_id',
  scope: { workspace: 'distribution_groups:write' },
  summary: 'Delete a distribution group',
  description:
    'Its releases stay; links that its members got stop unless another group of theirs has the release.',
  params: Type.Object({ distribution_group_id: DistributionGroupId }),
  returns: Message,
  visible: requireDistributionGroupOfPath,
  async handle({ group: { id }, ...call }) {
    await inTransaction(call.db, async (tx) => {
      const before = await requireLockedDistributionGroup(tx, call.actor.workspaceId, id)
      await deleteDistributionGroupRow(tx, id)
      await recordEvent(tx, call, {
        action: 'distribution_group.deleted',
        applicationId: null,
        subject: { type: 'distribution_group', id },
        before: distributionGroupFacts(before),
      })
    })
    return { message: 'Distribution group deleted.' }
  },
})
