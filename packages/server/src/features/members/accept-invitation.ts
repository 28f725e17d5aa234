import { Type } from 'typebox'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint.ts'
import { name, PathId } from '../../http/fields.ts'
import { one } from '../../http/responses.ts'
import { Problem } from '../../lib/problem.ts'
import { assignApplicationRole, findLockedRole, insertApplicationMember } from './application-member.db.ts'
import { markInvitationAccepted, requireInvitationByToken } from './invitation.db.ts'
import { hashToken } from './invitation.ts'
import { WorkspaceMember } from './member.ts'
import { findOrInsertUser, insertWorkspaceMember, requireWorkspaceMember } from './workspace-member.db.ts'

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invitations/:token/accept',
  scope: 'public',
  summary: 'Accept an invitation',
  description: 'Adds the user to the workspace and returns the member. A token can be used only once.',
  params: Type.Object({ token: PathId('The token of the invitation.') }),
  body: Type.Object({
    name: name(100, 'Name of the user. Ignored if a user with this email address exists.'),
  }),
  returns: one(WorkspaceMember),
  async load({ db, params }) {
    return { invitation: await requireInvitationByToken(db, hashToken(params.token)) }
  },
  async handle({ db, invitation, body, address }) {
    const { id, email, role, workspace_id: workspaceId, application_id: applicationId } = invitation
    const member = await inTransaction(db, async (tx) => {
      if (!(await markInvitationAccepted(tx, id))) throw invitationGone()
      const user = await findOrInsertUser(tx, { name: body.name.trim(), email })
      await insertWorkspaceMember(tx, workspaceId, user.id, applicationId === null ? role : 'member')
      if (applicationId !== null) await joinApplication(tx, { applicationId, workspaceId }, user.id, role)
      const actor = { via: 'user' as const, keyId: user.id, name: user.name, workspaceId }
      await recordEvent(
        tx,
        { actor, address },
        {
          action: 'invitation.accepted',
          applicationId,
          subject: { type: 'invitation', id },
          after: { email, role, user_id: user.id },
        },
      )
      return requireWorkspaceMember(tx, workspaceId, user.id)
    })
    return { message: 'Invitation accepted.', data: member }
  },
})

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

const invitationGone = (): Problem =>
  new Problem(
    'gone',
    'invitation.gone',
    'This invitation has expired, or has been revoked or accepted. Ask for a new one.',
  )
