import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'
import type { DownloadFilter, groupings } from './downloads.search.ts'

const perPage = 50

/** The downloads of an application that match the filter, the latest first. */
export const downloadsQuery = (applicationId: string, filter: DownloadFilter) =>
  infiniteQueryOptions({
    queryKey: applicationKey(applicationId, 'downloads', 'list', filter),
    queryFn: ({ signal, pageParam }) =>
      api.listDownloads(
        {
          application_id: applicationId,
          ...filter,
          limit: perPage,
          ...(pageParam === null ? {} : { after: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })

/** The number of downloads that match the filter, by person, version or another grouping. */
export const downloadTotalsQuery = (
  applicationId: string,
  filter: DownloadFilter,
  by: (typeof groupings)[number],
) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'downloads', 'totals', filter, by),
    queryFn: async ({ signal }) =>
      (await api.getDownloadTotals({ application_id: applicationId, ...filter, by }, { signal })).data,
  })
