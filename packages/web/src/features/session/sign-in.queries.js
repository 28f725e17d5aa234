import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { callSignIn } from '../../api/sign-in.ts';
/** The first part of the keys of all queries that need no session. */
export const signInKey = 'sign-in';
/** The ways to sign in that this service offers. */
export const signInMethodsQuery = queryOptions({
    queryKey: [signInKey, 'methods'],
    queryFn: () => callSignIn('/methods'),
});
export const invitationQuery = (token) => queryOptions({
    queryKey: [signInKey, 'invitation', token],
    queryFn: async ({ signal }) => (await api.getInvitation({ token }, { signal })).data,
    // The form must not change while someone fills it in.
    staleTime: Infinity,
});
