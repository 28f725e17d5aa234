import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'

/** Where the files of an application are stored outside the storage of the service. */
export const customStoreQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'custom-store'),
    queryFn: async ({ signal }) =>
      (await api.getCustomStore({ application_id: applicationId }, { signal })).data,
  })
