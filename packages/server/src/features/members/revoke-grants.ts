import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { recordEvents, type Initiator } from '../../events/record-event.ts'
import { revokeInvitationsBy } from './invitation.db.ts'

/**
 * Revokes what lets a user who is no longer an owner or admin regain access: the API keys, trusted publishers and open
 * invitations that the user created, directly or through keys. The caller must have locked the membership. Returns the
 * part of the response message that reports them.
 */
export async function revokeGrantsOf(
  tx: Tx,
  by: Initiator & Pick<Deps, 'dependents'>,
  userId: string,
): Promise<string> {
  const { keys, publishers, creatorIds } = await by.dependents.revokeKeysOfMember(tx, by, userId)
  const invitations = await revokeInvitationsBy(tx, by.actor.workspaceId, creatorIds)
  await recordEvents(
    tx,
    by,
    invitations.map(({ id, application_id, email, role }) => ({
      action: 'invitation.revoked' as const,
      applicationId: application_id,
      subject: { type: 'invitation' as const, id },
      before: { email, role },
    })),
  )
  const parts = [
    counted(keys, 'API key'),
    counted(publishers, 'trusted publisher'),
    counted(invitations.length, 'open invitation'),
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` Revoked what the member created: ${parts.join(', ')}.`
}

const counted = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
