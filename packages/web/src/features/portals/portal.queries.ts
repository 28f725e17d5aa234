import { allItems, type Portal } from '@quayside/sdk'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'

export type PortalApplication = Portal['applications'][number]

export const portalsQuery = queryOptions({
  queryKey: workspaceKey('portals', 'list'),
  queryFn: ({ signal }) => allItems((page) => api.listPortals({ page, per_page: 100 }, { signal })),
})

export const portalQuery = (portalId: string) =>
  queryOptions({
    queryKey: workspaceKey('portals', 'one', portalId),
    queryFn: async ({ signal }) => (await api.getPortal({ portal_id: portalId }, { signal })).data,
  })

/** The published releases that visitors of the portal see, newest first. */
export const portalReleasesQuery = (portalId: string) =>
  queryOptions({
    queryKey: workspaceKey('portals', 'one', portalId, 'releases'),
    queryFn: async ({ signal }) => {
      const releases = await allItems((page) =>
        api.listPortalReleases({ portal_id: portalId, page, per_page: 100 }, { signal }),
      )
      return releases.reverse()
    },
  })

/** Shows a changed portal at once and reloads what depends on it. */
export async function portalChanged(queryClient: QueryClient, portal: Portal): Promise<void> {
  queryClient.setQueryData(portalQuery(portal.id).queryKey, portal)
  await reloadPortals(queryClient)
}

export const reloadPortals = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: workspaceKey('portals') })
