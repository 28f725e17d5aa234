import { allItems } from '@quayside/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { callSignIn } from '../../api/sign-in.ts';
export const passkeysQuery = queryOptions({
    queryKey: ['account', 'passkeys'],
    queryFn: () => callSignIn('/passkey/list-user-passkeys'),
});
export const accountSessionsQuery = queryOptions({
    queryKey: ['account', 'sessions'],
    queryFn: async () => (await callSignIn('/sessions')).data,
});
/** The workspace keys that the person has created and that still work. */
export const ownApiKeysQuery = (userId) => queryOptions({
    queryKey: ['workspace', 'api-keys', 'own', userId],
    queryFn: async ({ signal }) => {
        const keys = await allItems((page) => api.listWorkspaceApiKeys({ page, per_page: 100 }, { signal }));
        return keys.filter(({ created_by: creator, revoked_at: revokedAt }) => creator === userId && revokedAt === null);
    },
});
