import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'
import { applicationQuery } from './application.queries.ts'

export const platformsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'platforms'),
    queryFn: async ({ signal }) =>
      (await api.listPlatforms({ application_id: applicationId }, { signal })).data,
  })

/** Loads what shows the platforms of an application again. */
export const reloadPlatforms = (queryClient: QueryClient, applicationId: string): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries(platformsQuery(applicationId)),
    queryClient.invalidateQueries(applicationQuery(applicationId)),
  ])
