import { allItems } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey, applicationListKey } from '../../api/query-keys.ts'

/** Every application that the person can open, by name. */
export const applicationsQuery = queryOptions({
  queryKey: applicationListKey,
  queryFn: ({ signal }) =>
    allItems((page) =>
      api.listApplications({ page, per_page: 100, sort_by: 'name', sort: 'asc' }, { signal }),
    ),
})

export const applicationQuery = (applicationId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'application'),
    queryFn: async ({ signal }) =>
      (await api.getApplication({ application_id: applicationId }, { signal })).data,
  })
