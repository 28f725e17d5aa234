import { isDeepStrictEqual } from 'node:util'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { AuditAction } from '../../events/catalogue.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import {
  requireDistributionGroup,
  requireLockedDistributionGroup,
  markDistributionGroupUpdated,
  type DistributionGroupRow,
} from './distribution-group.db.ts'
import { distributionGroupAuditSnapshot } from './distribution-group.ts'

type Change = {
  id: string
  action: Extract<AuditAction, `distribution_group.${string}`>
  applicationId?: string
}

/** Locks a group, runs `apply`, and records an audit entry that includes the returned details. */
export async function changeDistributionGroup<T extends object>(
  call: Call,
  { id, action, applicationId }: Change,
  apply: (tx: Tx, before: DistributionGroupRow) => Promise<T>,
): Promise<{ group: DistributionGroupRow; details: T }> {
  const { workspaceId } = call.actor
  return inTransaction(call.db, async (tx) => {
    const before = await requireLockedDistributionGroup(tx, workspaceId, id)
    const details = await apply(tx, before)
    const saved = await requireDistributionGroup(tx, workspaceId, id)
    const change = {
      before: distributionGroupAuditSnapshot(before),
      after: { ...distributionGroupAuditSnapshot(saved), ...details },
    }
    if (isDeepStrictEqual(change.before, change.after)) return { group: saved, details }
    // Members and releases are in other tables, so changing them does not set `updated_at`.
    await markDistributionGroupUpdated(tx, id)
    await recordEvent(tx, call, {
      action,
      applicationId: applicationId ?? null,
      subject: { type: 'distribution_group', id },
      ...change,
    })
    return { group: await requireDistributionGroup(tx, workspaceId, id), details }
  })
}
