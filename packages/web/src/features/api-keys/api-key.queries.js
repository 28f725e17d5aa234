import { allItems } from '@quayside/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
/** The API keys of an application, or of the workspace without an ID, newest first. */
export const apiKeysQuery = (applicationId) => queryOptions({
    queryKey: applicationId === undefined ? ['workspace', 'api-keys'] : ['applications', applicationId, 'api-keys'],
    queryFn: async ({ signal }) => {
        const keys = await allItems((page) => {
            const query = { page, per_page: 100 };
            return applicationId === undefined
                ? api.listWorkspaceApiKeys(query, { signal })
                : api.listApplicationApiKeys({ application_id: applicationId, ...query }, { signal });
        });
        return keys.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
    },
});
export function keyState({ revoked_at: revokedAt, expires_at: expiresAt }, nowMs) {
    if (revokedAt !== null)
        return 'revoked';
    return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expired' : 'valid';
}
/** Returns the keys that a key created, directly or through other keys. */
export function descendantsOf(keyId, keys) {
    return keys
        .filter(({ created_by: creator }) => creator === keyId)
        .flatMap((key) => [key, ...descendantsOf(key.id, keys)]);
}
