import { allItems, type Portal } from '@quayside/sdk'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

const portalsKey = ['workspace', 'portals']
const oneKey = (portalId: string) => [...portalsKey, 'one', portalId]

export const portalsQuery = queryOptions({
  queryKey: [...portalsKey, 'list'],
  queryFn: ({ signal }) => allItems((page) => api.listPortals({ page, per_page: 100 }, { signal })),
})

export const portalQuery = (portalId: string) =>
  queryOptions({
    queryKey: oneKey(portalId),
    queryFn: async ({ signal }) => (await api.getPortal({ portal_id: portalId }, { signal })).data,
  })

/** The published releases that visitors of the portal see, newest first. */
export const portalReleasesQuery = (portalId: string) =>
  queryOptions({
    queryKey: [...oneKey(portalId), 'releases'],
    queryFn: async ({ signal }) => {
      const releases = await allItems((page) =>
        api.listPortalReleases({ portal_id: portalId, page, per_page: 100 }, { signal }),
      )
      return releases.reverse()
    },
  })

/** The published releases of an application that match a search, newest first. */
export const publishedReleasesQuery = (applicationId: string, search: string) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'releases', 'published', search],
    queryFn: async ({ signal }) =>
      (
        await api.listReleases(
          {
            application_id: applicationId,
            statuses: 'published',
            ...(search === '' ? {} : { search }),
            sort_by: 'version',
            sort: 'desc',
            per_page: 50,
          },
          { signal },
        )
      ).data,
  })

/** Shows a changed portal at once and reloads what depends on it. */
export async function portalChanged(queryClient: QueryClient, portal: Portal): Promise<void> {
  queryClient.setQueryData(portalQuery(portal.id).queryKey, portal)
  await reloadPortals(queryClient)
}

export const reloadPortals = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: portalsKey })
