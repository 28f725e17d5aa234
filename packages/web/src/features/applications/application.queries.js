import { allItems } from '@quayside/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
/** Every application that the person can open, by name. */
export const applicationsQuery = queryOptions({
    queryKey: ['applications', 'list'],
    queryFn: ({ signal }) => allItems((page) => api.listApplications({ page, per_page: 100, sort_by: 'name', sort: 'asc' }, { signal })),
});
export const applicationQuery = (applicationId) => queryOptions({
    queryKey: ['applications', applicationId, 'application'],
    queryFn: async ({ signal }) => (await api.getApplication({ application_id: applicationId }, { signal })).data,
});
