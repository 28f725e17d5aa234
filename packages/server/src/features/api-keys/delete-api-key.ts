import { Type } from 'typebox'
import type { OwnerRef } from '../../access/owner.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint.ts'
import { ApplicationId } from '../../http/fields.ts'
import { Message } from '../../http/responses.ts'
import { requireApiKeyOfPath, revokeApiKey } from './api-key.db.ts'
import { ApiKeyId } from './api-key.ts'

type Key = { id: string; name: string; kind: string; scopes: string[] }

const definition = {
  method: 'DELETE',
  scope: { workspace: 'api_keys:write' },
  description:
    'Every node rejects the key within one second. The revoked key stays in the list. Revoking it again has no further effect.',
  returns: Message,
  load: requireApiKeyOfPath,
  async handle({ owner, key, ...call }: Call & { owner: OwnerRef; key: Key }) {
    await inTransaction(call.db, async (tx) => {
      if (!(await revokeApiKey(tx, key.id))) return
      await recordEvent(tx, call, {
        action: 'api_key.revoked',
        applicationId: owner.applicationId,
        subject: { type: 'api_key', id: key.id },
        before: { name: key.name, kind: key.kind, scopes: key.scopes },
      })
    })
    return { message: 'API key revoked.' }
  },
} as const

export const deleteApplicationApiKey = endpoint({
  ...definition,
  path: '/applications/:application_id/api-keys/:api_key_id',
  summary: 'Revoke an application API key',
  params: Type.Object({ application_id: ApplicationId, api_key_id: ApiKeyId }),
})

export const deleteWorkspaceApiKey = endpoint({
  ...definition,
  path: '/workspace/api-keys/:api_key_id',
  summary: 'Revoke a workspace API key',
  params: Type.Object({ api_key_id: ApiKeyId }),
})
