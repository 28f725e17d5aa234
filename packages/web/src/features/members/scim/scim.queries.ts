import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { workspaceKey } from '../../../api/query-keys.ts'

/** The base URL and the token for the identity provider. */
export const scimQuery = queryOptions({
  queryKey: workspaceKey('scim'),
  queryFn: async ({ signal }) => (await api.getScimSettings({}, { signal })).data,
})
