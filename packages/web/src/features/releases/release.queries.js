import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
const perPage = 50;
/** The releases that match the filters, newest first unless the URL names another order. */
export const releasePagesQuery = (applicationId, search) => infiniteQueryOptions({
    queryKey: ['applications', applicationId, 'releases', 'list', search],
    queryFn: ({ signal, pageParam: page }) => api.listReleases({
        application_id: applicationId,
        sort_by: search.sort_by ?? 'created_at',
        sort: search.sort ?? 'desc',
        page,
        per_page: perPage,
        ...(search.search === undefined ? {} : { search: search.search }),
        ...(search.status === undefined ? {} : { statuses: search.status }),
        ...(search.label === undefined ? {} : { labels: search.label }),
        ...(search.platform === undefined ? {} : { platforms: search.platform }),
    }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => pagination.current_page < pagination.last_page ? pagination.current_page + 1 : undefined,
});
/** A release with its notes and builds. */
export const releaseQuery = (applicationId, releaseId) => queryOptions({
    queryKey: ['applications', applicationId, 'releases', 'one', releaseId],
    queryFn: async ({ signal }) => (await api.getRelease({ application_id: applicationId, release_id: releaseId }, { signal })).data,
});
/** The groups and portals through which people get a release, and how many are notified when it is published. */
export const audienceQuery = (applicationId, releaseId) => queryOptions({
    queryKey: ['applications', applicationId, 'releases', 'audience', releaseId],
    queryFn: async ({ signal }) => (await api.getReleaseAudience({ application_id: applicationId, release_id: releaseId }, { signal }))
        .data,
});
