import { allItems, type DistributionGroup } from '@quayside/sdk'
import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pageByPage } from '../../api/next-page.ts'
import { workspaceKey } from '../../api/query-keys.ts'

const perPage = 100

export const groupsQuery = queryOptions({
  queryKey: workspaceKey('distribution-groups', 'list'),
  queryFn: ({ signal }) =>
    allItems((page) => api.listDistributionGroups({ page, per_page: 100, sort_by: 'name' }, { signal })),
})

export const groupQuery = (groupId: string) =>
  queryOptions({
    queryKey: workspaceKey('distribution-groups', 'one', groupId, 'group'),
    queryFn: async ({ signal }) =>
      (await api.getDistributionGroup({ distribution_group_id: groupId }, { signal })).data,
  })

export const groupMembersQuery = (groupId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: workspaceKey('distribution-groups', 'one', groupId, 'members', search),
    queryFn: ({ signal, pageParam: page }) =>
      api.listDistributionGroupMembers(
        {
          distribution_group_id: groupId,
          ...(search === '' ? {} : { search }),
          page,
          per_page: perPage,
        },
        { signal },
      ),
    ...pageByPage,
  })

/** The releases of a group, the latest first. */
export const groupReleasesQuery = (groupId: string) =>
  queryOptions({
    queryKey: workspaceKey('distribution-groups', 'one', groupId, 'releases'),
    queryFn: ({ signal }) =>
      allItems((page) =>
        api.listDistributionGroupReleases(
          { distribution_group_id: groupId, sort_by: 'added_at', sort: 'desc', page, per_page: 100 },
          { signal },
        ),
      ),
  })

/** Shows a changed group at once and reloads what depends on it. */
export async function groupChanged(queryClient: QueryClient, group: DistributionGroup): Promise<void> {
  queryClient.setQueryData(groupQuery(group.id).queryKey, group)
  await reloadGroups(queryClient)
}

export const reloadGroups = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: workspaceKey('distribution-groups') })

/** The downloads by members of a group, the latest first. */
export const groupDownloadsQuery = (groupId: string) =>
  infiniteQueryOptions({
    queryKey: workspaceKey('distribution-groups', 'one', groupId, 'downloads'),
    queryFn: ({ signal, pageParam: page }) =>
      api.listDistributionGroupDownloads(
        { distribution_group_id: groupId, sort: 'desc', page, per_page: perPage },
        { signal },
      ),
    ...pageByPage,
  })
