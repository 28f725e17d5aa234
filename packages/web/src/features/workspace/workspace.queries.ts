import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'

export const workspaceQuery = queryOptions({
  queryKey: workspaceKey('workspace'),
  queryFn: async ({ signal }) => (await api.getWorkspace({}, { signal })).data,
})

/** Connects to the public URL, so the result is kept until somebody checks again. */
export const iosInstallationQuery = queryOptions({
  queryKey: workspaceKey('ios-installation'),
  queryFn: async ({ signal }) => (await api.checkIosInstallation({}, { signal })).data,
  staleTime: 5 * 60_000,
})
