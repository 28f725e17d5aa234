import { allItems } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { accountKey, workspaceKey } from '../../api/query-keys.ts'
import { callSignIn } from '../../api/sign-in.ts'

export type Passkey = {
  id: string
  name: string | null
  createdAt: string
  /** Whether the passkey is copied between devices, as password managers do. */
  backedUp: boolean
}

export const passkeysQuery = queryOptions({
  queryKey: accountKey('passkeys'),
  queryFn: () => callSignIn<Passkey[]>('/passkey/list-user-passkeys'),
})

export type AccountSession = {
  id: string
  ip_address: string | null
  user_agent: string | null
  created_at: string
  last_renewed_at: string
  expires_at: string
  is_current: boolean
}

export const accountSessionsQuery = queryOptions({
  queryKey: accountKey('sessions'),
  queryFn: async () => (await callSignIn<{ data: AccountSession[] }>('/sessions')).data,
})

/** The workspace keys that the person has created and that still work. */
export const ownApiKeysQuery = (userId: string) =>
  queryOptions({
    queryKey: workspaceKey('api-keys', 'own', userId),
    queryFn: async ({ signal }) => {
      const keys = await allItems((page) => api.listWorkspaceApiKeys({ page, per_page: 100 }, { signal }))
      return keys.filter(
        ({ created_by: creator, revoked_at: revokedAt }) => creator === userId && revokedAt === null,
      )
    },
  })
