import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'

export const workspaceQuery = queryOptions({
  queryKey: workspaceKey('workspace'),
  queryFn: async ({ signal }) => (await api.getWorkspace({}, { signal })).data,
})
