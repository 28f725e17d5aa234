import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'

/** The keys that sign the indexes of package repositories, the current one first. */
export const repositoryKeysQuery = queryOptions({
  queryKey: workspaceKey('repository-keys'),
  queryFn: async ({ signal }) => (await api.listRepositoryKeys({}, { signal })).data,
})
