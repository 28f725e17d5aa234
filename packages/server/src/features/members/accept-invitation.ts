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
import { userResource, WorkspaceMember } from './member.ts'
import { findOrInsertUser, insertWorkspaceMember, requireWorkspaceMember } from './workspace-member.db.ts'

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invitations/:token/accept',
  scope: 'public',
  summary: 'Accept an invitation',
  description:
    'Adds the user to the workspace and returns the member. A token can be used only once. If the token was sent only by email, this also verifies the email address of the user.',
  params: Type.Object({ token: PathId('The token of the invitation.') }),
  body: Type.Object({
    name: name(100, 'Name of the user in this workspace. Ignored if the user is already a member.'),
  }),
  returns: one(WorkspaceMember),
  async load({ db, params }) {
    return { invitation: await requireInvitationByToken(db, hashToken(params.token)) }
  },
  async handle({ db, config, invitation, body, address }) {
    const { id, email, role, workspace_id: workspaceId, application_id: applicationId } = invitation
    const isProven = invitation.is_token_private
    const member = await inTransaction(db, async (tx) => {
      if (!(await markInvitationAccepted(tx, id))) throw invitationGone()
      const userId = await findOrInsertUser(tx, { email, isProven })
      const workspaceRole = applicationId === null ? role : 'member'
      await insertWorkspaceMember(tx, { workspaceId, userId, name: body.name.trim(), role: workspaceRole })
      if (applicationId !== null) await joinApplication(tx, { applicationId, workspaceId }, userId, role)
      const joined = await requireWorkspaceMember(tx, workspaceId, userId)
      const actor = { via: 'user' as const, id: userId, name: joined.name, workspaceId }
      await recordEvent(
        tx,
        { actor, address },
        {
          action: 'invitation.accepted',
          applicationId,
          subject: { type: 'invitation', id },
          after: { email, role, user_id: userId },
        },
      )
      return joined
    })
    return { message: 'Invitation accepted.', data: userResource(member, config) }
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
