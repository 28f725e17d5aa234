import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'

/** The streams that every new application gets. */
export const defaultStreamsQuery = queryOptions({
  queryKey: workspaceKey('default-streams'),
  queryFn: async ({ signal }) => (await api.listDefaultStreams({}, { signal })).data,
})
