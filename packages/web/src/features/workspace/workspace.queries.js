import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
export const workspaceQuery = queryOptions({
    queryKey: ['workspace', 'workspace'],
    queryFn: async ({ signal }) => (await api.getWorkspace({}, { signal })).data,
});
