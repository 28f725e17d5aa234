import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pageByPage } from '../../api/next-page.ts'
import { applicationKey } from '../../api/query-keys.ts'

export type Outcome = 'goes' | 'stays'

const perPage = 50

// The keys are below the builds, because a change to a build changes what retention does.
export const retentionKey = (applicationId: string, streamId: string) =>
  applicationKey(applicationId, 'builds', 'retention', streamId)

/** The number and size of the builds of a stream that go and stay. */
export const retentionSummaryQuery = (applicationId: string, streamId: string, days?: number) =>
  queryOptions({
    queryKey: [...retentionKey(applicationId, streamId), 'summary', days],
    queryFn: async ({ signal }) =>
      (
        await api.listRetentionPreview(
          { application_id: applicationId, stream_identifier: streamId, per_page: 1, ...daysParam(days) },
          { signal },
        )
      ).summary,
  })

/** The builds of a stream, oldest first, with what retention does to them. */
export const retentionPagesQuery = (applicationId: string, streamId: string, outcome?: Outcome) =>
  infiniteQueryOptions({
    queryKey: [...retentionKey(applicationId, streamId), 'builds', outcome],
    queryFn: ({ signal, pageParam: page }) =>
      api.listRetentionPreview(
        {
          application_id: applicationId,
          stream_identifier: streamId,
          sort: 'asc',
          page,
          per_page: perPage,
          // Which builds stay is the same for any number of days.
          ...daysParam(1),
          ...(outcome === undefined ? {} : { outcome }),
        },
        { signal },
      ),
    ...pageByPage,
  })

const daysParam = (days: number | undefined) => (days === undefined ? {} : { retention_days: days })

export const streamsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'streams'),
    queryFn: async ({ signal }) =>
      (await api.listStreams({ application_id: applicationId }, { signal })).data,
  })
