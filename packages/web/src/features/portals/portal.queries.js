import { allItems } from '@quayside/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
const portalsKey = ['workspace', 'portals'];
const oneKey = (portalId) => [...portalsKey, 'one', portalId];
export const portalsQuery = queryOptions({
    queryKey: [...portalsKey, 'list'],
    queryFn: ({ signal }) => allItems((page) => api.listPortals({ page, per_page: 100 }, { signal })),
});
export const portalQuery = (portalId) => queryOptions({
    queryKey: oneKey(portalId),
    queryFn: async ({ signal }) => (await api.getPortal({ portal_id: portalId }, { signal })).data,
});
/** The published releases that visitors of the portal see, newest first. */
export const portalReleasesQuery = (portalId) => queryOptions({
    queryKey: [...oneKey(portalId), 'releases'],
    queryFn: async ({ signal }) => {
        const releases = await allItems((page) => api.listPortalReleases({ portal_id: portalId, page, per_page: 100 }, { signal }));
        return releases.reverse();
    },
});
/** The published releases of an application that match a search, newest first. */
export const publishedReleasesQuery = (applicationId, search) => queryOptions({
    queryKey: ['applications', applicationId, 'releases', 'published', search],
    queryFn: async ({ signal }) => (await api.listReleases({
        application_id: applicationId,
        statuses: 'published',
        ...(search === '' ? {} : { search }),
        sort_by: 'version',
        sort: 'desc',
        per_page: 50,
    }, { signal })).data,
});
/** Shows a changed portal at once and reloads what depends on it. */
export async function portalChanged(queryClient, portal) {
    queryClient.setQueryData(portalQuery(portal.id).queryKey, portal);
    await reloadPortals(queryClient);
}
export const reloadPortals = (queryClient) => queryClient.invalidateQueries({ queryKey: portalsKey });
