import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import {
  requireDistributionGroup,
  requireLockedDistributionGroup,
  updateDistributionGroupRow,
  type DistributionGroupRow,
} from './distribution-group.db.ts'
import { distributionGroupFacts } from './distribution-group.ts'

type What = { id: string; action: string; applicationId?: string }

/**
 * Changes a group or what is in it, one change at a time, with its audit entry; what `change` answers stands there
 * beside the group as it is then.
 */
export async function changeDistributionGroup<T extends object>(
  call: Call,
  { id, action, applicationId }: What,
  change: (tx: Tx, before: DistributionGroupRow) => Promise<{ note: T }>,
): Promise<{ group: DistributionGroupRow; note: T }> {
  const { workspaceId } = call.actor
  return inTransaction(call.db, async (tx) => {
    const before = await requireLockedDistributionGroup(tx, workspaceId, id)
    const { note } = await change(tx, before)
    await updateDistributionGroupRow(tx, id)
    const group = await requireDistributionGroup(tx, workspaceId, id)
    await recordEvent(tx, call, {
      action: `distribution_group.${action}`,
      applicationId: applicationId ?? null,
      subject: { type: 'distribution_group', id },
      before: distributionGroupFacts(before),
      after: { ...distributionGroupFacts(group), ...note },
    })
    return { group, note }
  })
}
