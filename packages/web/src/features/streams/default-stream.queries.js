import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
/** The streams that every new application gets. */
export const defaultStreamsQuery = queryOptions({
    queryKey: ['workspace', 'default-streams'],
    queryFn: async ({ signal }) => (await api.listDefaultStreams({}, { signal })).data,
});
