import type { ApplicationRef } from '../../access/application.db.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvent, type Initiator } from '../../events/record-event.ts'
import { insertApplicationMember, requireApplicationMember } from './application-member.db.ts'

/** Adds a member of the workspace to an application, and records it. */
export async function addApplicationMember(
  tx: Tx,
  initiator: Initiator,
  owner: ApplicationRef,
  { userId, role }: { userId: string; role: string },
) {
  await insertApplicationMember(tx, owner, userId, role)
  const member = await requireApplicationMember(tx, owner, userId)
  await recordEvent(tx, initiator, {
    action: 'application_member.created',
    applicationId: owner.applicationId,
    subject: { type: 'member', id: userId },
    after: { email: member.email, role },
  })
  return member
}
