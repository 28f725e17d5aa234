import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pageByPage } from '../../api/next-page.ts'
import { applicationKey } from '../../api/query-keys.ts'
import type { ReleaseListSearch } from './list/release-list.search.ts'

const perPage = 50

/** The releases that match the filters, newest first unless the URL names another order. */
export const releasePagesQuery = (applicationId: string, search: ReleaseListSearch) =>
  infiniteQueryOptions({
    queryKey: applicationKey(applicationId, 'releases', 'list', search),
    queryFn: ({ signal, pageParam: page }) =>
      api.listReleases(
        {
          application_id: applicationId,
          sort_by: search.sort_by ?? 'created_at',
          sort: search.sort ?? 'desc',
          page,
          per_page: perPage,
          ...(search.search === undefined ? {} : { search: search.search }),
          ...(search.status === undefined ? {} : { statuses: search.status }),
          ...(search.label === undefined ? {} : { labels: search.label }),
          ...(search.platform === undefined ? {} : { platforms: search.platform }),
        },
        { signal },
      ),
    ...pageByPage,
  })

/** A release with its notes and builds. */
export const releaseQuery = (applicationId: string, releaseId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'releases', 'one', releaseId),
    queryFn: async ({ signal }) =>
      (await api.getRelease({ application_id: applicationId, release_id: releaseId }, { signal })).data,
  })

/** The groups and portals through which people get a release, and how many are notified when it is published. */
export const audienceQuery = (applicationId: string, releaseId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'releases', 'audience', releaseId),
    queryFn: async ({ signal }) =>
      (await api.getReleaseAudience({ application_id: applicationId, release_id: releaseId }, { signal }))
        .data,
  })

/** What happened to a release and the one before it on each day since their publication. */
export const releaseAdoptionQuery = (applicationId: string, releaseId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'releases', 'adoption', releaseId),
    queryFn: async ({ signal }) =>
      (await api.getReleaseAdoption({ application_id: applicationId, release_id: releaseId }, { signal }))
        .data,
    staleTime: 30_000,
  })

/** The releases of an application that can be chosen: those that match a search, newest version first. */
export const releaseOptionsQuery = (applicationId: string, search: string, statuses?: 'published') =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'releases', 'options', search, statuses),
    queryFn: async ({ signal }) =>
      (
        await api.listReleases(
          {
            application_id: applicationId,
            ...(statuses === undefined ? {} : { statuses }),
            ...(search === '' ? {} : { search }),
            sort_by: 'version',
            sort: 'desc',
            per_page: 50,
          },
          { signal },
        )
      ).data,
  })
