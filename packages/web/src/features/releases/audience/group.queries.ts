import { allItems } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'

/** Every distribution group of the workspace, by name. */
export const allGroupsQuery = queryOptions({
  queryKey: ['workspace', 'groups', 'all'],
  queryFn: ({ signal }) =>
    allItems((page) =>
      api.listDistributionGroups({ page, per_page: 100, sort_by: 'name', sort: 'asc' }, { signal }),
    ),
})

/** Every portal of the workspace. */
export const allPortalsQuery = queryOptions({
  queryKey: ['workspace', 'portals', 'all'],
  queryFn: ({ signal }) => allItems((page) => api.listPortals({ page, per_page: 100 }, { signal })),
})
