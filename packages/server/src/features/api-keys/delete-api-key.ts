import { Type, type Static } from 'typebox'
import type { OwnerRef } from '../../access/owner.ts'
import { inTransaction } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { ApplicationId, Nullable } from '../../http/endpoint/fields.ts'
import { requireApiKeyOfPath, revokeApiKey } from './api-key.db.ts'
import { ApiKeyId } from './api-key.ts'
import { listLockedDescendants, revocation, revokeDescendants, type RevokedKey } from './key-descendants.ts'

type Input = Call & { owner: OwnerRef; key: Omit<RevokedKey, 'application_id'>; query: Static<typeof query> }

const query = Type.Object({
  descendants: Type.Optional(
    Type.Boolean({
      description:
        'Whether to also revoke the keys and delete the trusted publishers that the key created, directly or through ' +
        'other keys. Default `false`.',
    }),
  ),
})

const maxListed = 100
const Descendant = Type.Object({
  id: Type.String(),
  name: Type.String(),
  application_id: Nullable(Type.String()),
})

const RevokedApiKey = Type.Object({
  message: Type.String(),
  descendants: Type.Object(
    {
      revoked: Type.Boolean({ description: 'Whether they were revoked. If `false`, they remain valid.' }),
      api_keys: Type.Array(Descendant),
      trusted_publishers: Type.Array(Descendant),
    },
    {
      description: `The valid keys and trusted publishers that the key created, directly or through other keys; at most ${maxListed} of each.`,
    },
  ),
})

const definition = {
  method: 'DELETE',
  scope: { workspace: 'api_keys:write' },
  description:
    'Every node rejects the key within one second. The revoked key stays in the list. The keys and trusted publishers that it ' +
    'created remain valid and are listed in the response; repeat the call with `descendants=true` to revoke them as ' +
    'well. Revoking a key never removes share links, webhooks or members.',
  query,
  returns: RevokedApiKey,
  load: requireApiKeyOfPath,
  async handle({ owner, key, query: { descendants = false }, ...call }: Input) {
    const { keys, publishers } = await inTransaction(call.db, async (tx) => {
      if (await revokeApiKey(tx, key.id))
        await recordEvent(tx, call, revocation({ ...key, application_id: owner.applicationId }))
      const created = await listLockedDescendants(tx, owner.workspaceId, key.id)
      if (descendants) await revokeDescendants(tx, call, created)
      return created
    })
    const listed = (items: readonly Static<typeof Descendant>[]) =>
      items.slice(0, maxListed).map(({ id, name, application_id }) => ({ id, name, application_id }))
    return {
      message: revokedMessage(keys.length, publishers.length, descendants),
      descendants: { revoked: descendants, api_keys: listed(keys), trusted_publishers: listed(publishers) },
    }
  },
} as const

function revokedMessage(keys: number, publishers: number, isRevoking: boolean): string {
  const parts = [
    ...(keys === 0 ? [] : [keys === 1 ? '1 API key' : `${keys} API keys`]),
    ...(publishers === 0
      ? []
      : [publishers === 1 ? '1 trusted publisher' : `${publishers} trusted publishers`]),
  ].join(' and ')
  if (parts === '') return 'API key revoked.'
  return isRevoking
    ? `API key revoked, along with ${parts} that it created.`
    : `API key revoked. ${parts} that it created ${keys + publishers === 1 ? 'is' : 'are'} still valid. To revoke these as well, repeat the call with \`descendants=true\`.`
}

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
