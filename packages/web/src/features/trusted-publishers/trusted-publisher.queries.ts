import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'

export const trustedPublishersQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'trusted-publishers'),
    queryFn: async ({ signal }) =>
      (await api.listTrustedPublishers({ application_id: applicationId }, { signal })).data,
  })
