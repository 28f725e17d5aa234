import type { Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { setBounced } from './distribution-group-member.db.ts'

/** Implements `recordBounce` of `Dependents`. Records one audit entry for each group of the address. */
export async function recordBounce(
  tx: Tx,
  bounce: { workspaceId: string; address: string; reason: string },
): Promise<void> {
  const { workspaceId, reason } = bounce
  for (const { email, group_id: id, group_name: name } of await setBounced(tx, bounce))
    await recordEvent(
      tx,
      { actor: { via: 'system', id: null, name: 'Mail server', workspaceId }, address: null },
      {
        action: 'distribution_group.member_bounced',
        applicationId: null,
        subject: { type: 'distribution_group', id },
        before: { name },
        after: { name, email, reason },
      },
    )
}
