import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey, workspaceKey } from '../../api/query-keys.ts'

/** What Home shows: each application with its newest builds, and uploads and storage per day. */
export const workspaceStatisticsQuery = (days: number) =>
  queryOptions({
    queryKey: workspaceKey('statistics', days),
    queryFn: async ({ signal }) => (await api.getWorkspaceStatistics({ days }, { signal })).data,
  })

/** Uploads, downloads and storage of an application per day. */
export const applicationStatisticsQuery = (applicationId: string, days: number) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'statistics', days),
    queryFn: async ({ signal }) =>
      (await api.getApplicationStatistics({ application_id: applicationId, days }, { signal })).data,
  })

/** Sizes, failures and waiting times of the builds of an application per day or week. */
export const buildStatisticsQuery = (applicationId: string, days: number, interval: 'day' | 'week') =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'statistics', days, 'builds', interval),
    queryFn: async ({ signal }) =>
      (await api.getBuildStatistics({ application_id: applicationId, days, interval }, { signal })).data,
  })

/** What needs the attention of a person, newest first. */
export const attentionQuery = queryOptions({
  queryKey: workspaceKey('attention'),
  queryFn: async ({ signal }) => (await api.listAttention({}, { signal })).data,
  staleTime: 60_000,
})
