import { requireUnrevokedCaller, roleChanged } from '../../../access/caller.db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { recordEvent } from '../../../events/record-event.ts'
import { endpoint } from '../../../http/endpoint/endpoint.ts'
import { one } from '../../../http/endpoint/responses.ts'
import { hashKey } from '../../api-keys/api-key.ts'
import { findScimToken, saveScimToken } from './scim-token.db.ts'
import {
  CreatedScimToken,
  generateScimToken,
  requireScimAuthority,
  scimBaseUrl,
  scimOwnerRequired,
} from './scim-token.ts'

export const createScimToken = endpoint({
  method: 'POST',
  path: '/workspace/scim-token',
  scope: { workspace: 'members:write' },
  summary: 'Create a SCIM token',
  description:
    'Creates the token with which an identity provider manages members and teams. The previous token stops working. Only this response contains the complete token; the server stores just its hash. Because the token can remove owners, only owners, and keys with every workspace scope, can create it.',
  status: 201,
  refuses: [roleChanged, scimOwnerRequired],
  returns: one(CreatedScimToken),
  async handle({ actor, config, ...call }) {
    requireScimAuthority(actor)
    const { workspaceId } = actor
    const token = generateScimToken()
    const row = await inTransaction(call.db, async (tx) => {
      await requireUnrevokedCaller(tx, actor)
      const before = await findScimToken(tx, workspaceId)
      const saved = await saveScimToken(tx, workspaceId, {
        prefix: token.slice(0, 8),
        sha256: hashKey(token),
        createdBy: actor.name,
      })
      await recordEvent(
        tx,
        { ...call, actor },
        {
          action: 'scim_token.created',
          applicationId: null,
          subject: { type: 'scim_token', id: saved.id },
          ...(before === undefined ? {} : { before: { prefix: before.prefix } }),
          after: { prefix: saved.prefix },
        },
      )
      return saved
    })
    return { message: 'SCIM token created.', data: { ...row, base_url: scimBaseUrl(config), token } }
  },
})
