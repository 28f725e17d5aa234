import { allItems } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { applicationKey } from '../../../api/query-keys.ts'

/** The open requests for access to an application, the oldest first. */
export const accessRequestsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'access-requests'),
    queryFn: ({ signal }) =>
      allItems((page) =>
        api.listAccessRequests({ application_id: applicationId, page, per_page: 100 }, { signal }),
      ),
  })
