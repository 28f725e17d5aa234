import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
/** What Home shows: each application with its newest builds, and uploads and storage per day. */
export const workspaceStatisticsQuery = (days) => queryOptions({
    queryKey: ['workspace', 'statistics', days],
    queryFn: async ({ signal }) => (await api.getWorkspaceStatistics({ days }, { signal })).data,
});
/** Uploads, downloads and storage of an application per day. */
export const applicationStatisticsQuery = (applicationId, days) => queryOptions({
    queryKey: ['applications', applicationId, 'statistics', days],
    queryFn: async ({ signal }) => (await api.getApplicationStatistics({ application_id: applicationId, days }, { signal })).data,
});
/** What needs the attention of a person, newest first. */
export const attentionQuery = queryOptions({
    queryKey: ['workspace', 'attention'],
    queryFn: async ({ signal }) => (await api.listAttention({}, { signal })).data,
    staleTime: 60000,
});
