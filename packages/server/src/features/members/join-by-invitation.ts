import type { Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { assignApplicationRole, findLockedRole, insertApplicationMember } from './application-member.db.ts'
import { listGrantedApplications, markInvitationAccepted } from './invitation.db.ts'
import { grantedApplications, invitationGone, type InvitationRow } from './invitation.ts'
import type { WorkspaceMemberRow } from './member.ts'
import { findOrInsertUser, insertWorkspaceMember, requireWorkspaceMember } from './workspace-member.db.ts'

type Invitation = {
  id: string
  email: string
  role: string
  workspace_id: string
  application_id: string | null
  applications: InvitationRow['applications']
}
type Person = { name: string; address: string | null; isProven: boolean }

/** Accepts an invitation and returns the member. Throws `invitation.gone` if it is no longer open. */
export async function joinByInvitation(
  tx: Tx,
  invitation: Invitation,
  { name, address, isProven }: Person,
): Promise<WorkspaceMemberRow> {
  const { id, email, role, workspace_id: workspaceId, application_id: applicationId } = invitation
  if (!(await markInvitationAccepted(tx, id))) throw invitationGone()
  const userId = await findOrInsertUser(tx, { email, name, isProven })
  const workspaceRole = applicationId === null ? role : 'member'
  await insertWorkspaceMember(tx, { workspaceId, userId, name, role: workspaceRole })
  for (const granted of await listGrantedApplications(tx, invitation))
    await joinApplication(tx, { applicationId: granted.application_id, workspaceId }, userId, granted.role)
  const joined = await requireWorkspaceMember(tx, workspaceId, userId)
  const actor = { via: 'user' as const, id: userId, name: joined.name, workspaceId }
  await recordEvent(
    tx,
    { actor, address },
    {
      action: 'invitation.accepted',
      applicationId,
      subject: { type: 'invitation', id },
      after: { email, role, user_id: userId, ...grantedApplications(invitation) },
    },
  )
  return joined
}

async function joinApplication(
  tx: Tx,
  owner: { applicationId: string; workspaceId: string },
  userId: string,
  role: string,
): Promise<void> {
  const currentRole = await findLockedRole(tx, owner.applicationId, userId)
  if (currentRole === undefined) await insertApplicationMember(tx, owner, userId, role)
  else await assignApplicationRole(tx, owner.applicationId, userId, role)
}
