import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api } from './client.ts';
export const sessionQuery = queryOptions({
    queryKey: ['session'],
    queryFn: async ({ signal }) => (await api.getSession({}, { signal })).data,
    staleTime: 60000,
});
/** Returns the signed-in person and what they may do. Only for pages below the signed-in layout. */
export function useSession() {
    const { data: session } = useSuspenseQuery(sessionQuery);
    return { ...session, can: (scope, applicationId) => isAllowed(session, scope, applicationId) };
}
function isAllowed(session, scope, applicationId) {
    if (applicationId === undefined)
        return session.scopes.includes(scope);
    if (session.applications === null)
        return session.scopes.includes(scope === 'members:create' ? 'members:write' : scope.replace(/^application:/, 'applications:'));
    return session.applications.find(({ id }) => id === applicationId)?.scopes.includes(scope) ?? false;
}
