import { allItems, type ApiKey } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey, workspaceKey } from '../../api/query-keys.ts'

/** The API keys of an application, or of the workspace without an ID, newest first. */
export const apiKeysQuery = (applicationId?: string) =>
  queryOptions({
    queryKey:
      applicationId === undefined ? workspaceKey('api-keys') : applicationKey(applicationId, 'api-keys'),
    queryFn: async ({ signal }) => {
      const keys = await allItems((page) => {
        const query = { page, per_page: 100 }
        return applicationId === undefined
          ? api.listWorkspaceApiKeys(query, { signal })
          : api.listApplicationApiKeys({ application_id: applicationId, ...query }, { signal })
      })
      return keys.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    },
  })

export type KeyState = 'valid' | 'expired' | 'revoked'

export function keyState({ revoked_at: revokedAt, expires_at: expiresAt }: ApiKey, nowMs: number): KeyState {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expired' : 'valid'
}

/** Returns the keys that a key created, directly or through other keys. */
export function descendantsOf(keyId: string, keys: readonly ApiKey[]): ApiKey[] {
  return keys
    .filter(({ created_by: creator }) => creator === keyId)
    .flatMap((key) => [key, ...descendantsOf(key.id, keys)])
}
