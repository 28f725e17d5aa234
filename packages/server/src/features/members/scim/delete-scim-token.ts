import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { Message } from '../../../http/endpoint/responses.ts'
import { problem } from '../../../lib/problem.ts'
import { removeScimToken } from './scim-token.db.ts'
import { requireScimAuthority, scimOwnerRequired } from './scim-token.ts'

const noToken = problem('conflict', 'scim.no_token', 'This workspace has no SCIM token.')

export const deleteScimToken = endpoint({
  method: 'DELETE',
  path: '/workspace/scim-token',
  scope: { workspace: 'members:write' },
  summary: 'Revoke the SCIM token',
  description:
    'The identity provider can no longer manage members and teams. Members, teams and deactivated people stay as they are.',
  refuses: [noToken, scimOwnerRequired],
  returns: Message,
  async handle({ actor, ...call }) {
    requireScimAuthority(actor)
    await inTransaction(call.db, async (tx) => {
      const removed = await removeScimToken(tx, actor.workspaceId)
      if (removed === undefined) throw noToken()
      await recordEvent(
        tx,
        { ...call, actor },
        {
          action: 'scim_token.revoked',
          applicationId: null,
          subject: { type: 'scim_token', id: removed.id },
          before: { prefix: removed.prefix },
        },
      )
    })
    return { message: 'SCIM token revoked.' }
  },
})
