import { Type } from 'typebox'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { one } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { name, PathId } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'
import {
  findLockedRole,
  insertApplicationMember,
  updateApplicationMemberRole,
} from './application-member.db.ts'
import { requireInvitationByToken, updateInvitationAccepted } from './invitation.db.ts'
import { hashToken } from './invitation.ts'
import { WorkspaceMember } from './member.ts'
import { insertMissingUser } from './user.db.ts'
import { insertWorkspaceMember, requireWorkspaceMember } from './workspace-member.db.ts'

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/invitations/:token/accept',
  scope: 'public',
  summary: 'Accept an invitation by its token',
  description: 'Answers the member of the workspace that the person now is. A token is good once.',
  params: Type.Object({ token: PathId('The token of the invitation.') }),
  body: Type.Object({ name: name(100, 'Name of the person; kept only where the person is new here.') }),
  returns: one(WorkspaceMember),
  async visible({ db, params }) {
    return { invitation: await requireInvitationByToken(db, hashToken(params.token)) }
  },
  async handle({ db, invitation, body, address }) {
    const { id, email, role, workspace_id: workspaceId, application_id: applicationId } = invitation
    const member = await inTransaction(db, async (tx) => {
      if (!(await updateInvitationAccepted(tx, id))) throw tooLate()
      const user = await insertMissingUser(tx, { name: body.name.trim(), email })
      await insertWorkspaceMember(tx, workspaceId, user.id, applicationId === null ? role : 'member')
      if (applicationId !== null) await giveRole(tx, { applicationId, workspaceId }, user.id, role)
      const by = { via: 'user' as const, keyId: user.id, name: user.name, workspaceId }
      await recordEvent(
        tx,
        { actor: by, address },
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

async function giveRole(
  tx: Tx,
  owner: { applicationId: string; workspaceId: string },
  userId: string,
  role: string,
): Promise<void> {
  const known = await findLockedRole(tx, owner.applicationId, userId)
  if (known === undefined) await insertApplicationMember(tx, owner, userId, role)
  else await updateApplicationMemberRole(tx, owner.applicationId, userId, role)
}

const tooLate = (): Problem =>
  new Problem(
    'gone',
    'invitation.gone',
    'This invitation has expired, was taken back or was accepted before. Ask for a new one.',
  )
