import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { signInKey } from '../../api/query-keys.ts'
import { callSignIn } from '../../api/sign-in.ts'

/** The first part of the keys of all queries that need no session. */
type SignInMethods = {
  password: boolean
  passkey: boolean
  email_link: boolean
  sso: { name: string } | null
  /** Whether the service has no owner yet and waits for its set-up link to be opened. */
  setup_open: boolean
}

/** The ways to sign in that this service offers. */
export const signInMethodsQuery = queryOptions({
  queryKey: signInKey('methods'),
  queryFn: () => callSignIn<SignInMethods>('/methods'),
})

/** Whether a set-up link is the one that the server printed at its last start. */
export const setupLinkQuery = (token: string) =>
  queryOptions({
    queryKey: signInKey('setup-link', token),
    queryFn: () => callSignIn<{ is_valid: boolean }>('/setup-link', { setup_token: token }),
    staleTime: Infinity,
  })

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: signInKey('invitation', token),
    queryFn: async ({ signal }) => (await api.getInvitation({ token }, { signal })).data,
    // The form must not change while someone fills it in.
    staleTime: Infinity,
  })
