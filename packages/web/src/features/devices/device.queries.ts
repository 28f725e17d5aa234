import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pageByPage } from '../../api/next-page.ts'
import { workspaceKey } from '../../api/query-keys.ts'

const perPage = 100

export const devicesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: workspaceKey('devices', 'list', search),
    queryFn: ({ signal, pageParam: page }) =>
      api.listDevices({ ...(search === '' ? {} : { search }), page, per_page: perPage }, { signal }),
    ...pageByPage,
  })

/** How many of the registered devices can install a build. */
export const buildDevicesQuery = (applicationId: string, buildId: string) =>
  queryOptions({
    queryKey: workspaceKey('devices', 'build', applicationId, buildId),
    queryFn: async ({ signal }) =>
      (await api.listBuildDevices({ application_id: applicationId, build_id: buildId }, { signal })).data,
  })

export const reloadDevices = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: workspaceKey('devices') })
