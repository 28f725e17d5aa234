import { allItems } from '@quayside/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
const groupsKey = ['workspace', 'groups'];
const oneKey = (groupId) => [...groupsKey, 'one', groupId];
const perPage = 100;
export const groupsQuery = queryOptions({
    queryKey: [...groupsKey, 'list'],
    queryFn: ({ signal }) => allItems((page) => api.listDistributionGroups({ page, per_page: 100, sort_by: 'name' }, { signal })),
});
export const groupQuery = (groupId) => queryOptions({
    queryKey: [...oneKey(groupId), 'group'],
    queryFn: async ({ signal }) => (await api.getDistributionGroup({ distribution_group_id: groupId }, { signal })).data,
});
export const groupMembersQuery = (groupId, search) => infiniteQueryOptions({
    queryKey: [...oneKey(groupId), 'members', search],
    queryFn: ({ signal, pageParam: page }) => api.listDistributionGroupMembers({
        distribution_group_id: groupId,
        ...(search === '' ? {} : { search }),
        page,
        per_page: perPage,
    }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { current_page: page, last_page: last } }) => page < last ? page + 1 : undefined,
});
/** The releases of a group, the latest first. */
export const groupReleasesQuery = (groupId) => queryOptions({
    queryKey: [...oneKey(groupId), 'releases'],
    queryFn: ({ signal }) => allItems((page) => api.listDistributionGroupReleases({ distribution_group_id: groupId, sort_by: 'added_at', sort: 'desc', page, per_page: 100 }, { signal })),
});
/** Shows a changed group at once and reloads what depends on it. */
export async function groupChanged(queryClient, group) {
    queryClient.setQueryData(groupQuery(group.id).queryKey, group);
    await reloadGroups(queryClient);
}
export const reloadGroups = (queryClient) => queryClient.invalidateQueries({ queryKey: groupsKey });
/** The releases of an application that match a search, newest version first. */
export const candidateReleasesQuery = (applicationId, search) => queryOptions({
    queryKey: ['applications', applicationId, 'releases', 'candidates', search],
    queryFn: async ({ signal }) => (await api.listReleases({
        application_id: applicationId,
        ...(search === '' ? {} : { search }),
        sort_by: 'version',
        sort: 'desc',
        per_page: 50,
    }, { signal })).data,
});
/** The downloads by members of a group, the latest first. */
export const groupDownloadsQuery = (groupId) => infiniteQueryOptions({
    queryKey: [...oneKey(groupId), 'downloads'],
    queryFn: ({ signal, pageParam: page }) => api.listDistributionGroupDownloads({ distribution_group_id: groupId, sort: 'desc', page, per_page: perPage }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { current_page: page, last_page: last } }) => page < last ? page + 1 : undefined,
});
