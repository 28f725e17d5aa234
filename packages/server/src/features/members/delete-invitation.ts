import { Type } from 'typebox'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import { Message } from '../../http/endpoint/responses.ts'
import { problem } from '../../lib/problem.ts'
import { requireInvitation, revokeInvitation } from './invitation.db.ts'

const alreadyAccepted = problem(
  'conflict',
  'invitation.accepted',
  'This invitation has already been accepted. Remove the member instead.',
)

export const deleteInvitation = endpoint({
  method: 'DELETE',
  path: '/workspace/invitations/:invitation_id',
  scope: { workspace: 'members:write' },
  summary: 'Revoke an invitation',
  description: 'The token of the invitation stops working. Revoking it again has no further effect.',
  params: Type.Object({ invitation_id: PathId('ID of the invitation.') }),
  refuses: [alreadyAccepted],
  returns: Message,
  async load({ db, actor, params }) {
    return { invitation: await requireInvitation(db, actor.workspaceId, params.invitation_id) }
  },
  async handle({ invitation, ...call }) {
    const { workspaceId } = call.actor
    await inTransaction(call.db, async (tx) => {
      if (await revokeInvitation(tx, invitation.id))
        return recordEvent(tx, call, {
          action: 'invitation.revoked',
          applicationId: invitation.application_id,
          subject: { type: 'invitation', id: invitation.id },
          before: { email: invitation.email, role: invitation.role },
        })
      const { status } = await requireInvitation(tx, workspaceId, invitation.id)
      if (status === 'accepted') throw alreadyAccepted()
      return undefined
    })
    return { message: 'Invitation revoked.' }
  },
})
