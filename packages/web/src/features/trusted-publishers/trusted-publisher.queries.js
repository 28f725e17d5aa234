import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
export const trustedPublishersQuery = (applicationId) => queryOptions({
    queryKey: ['applications', applicationId, 'trusted-publishers'],
    queryFn: async ({ signal }) => (await api.listTrustedPublishers({ application_id: applicationId }, { signal })).data,
});
