import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

const recentEntries = 40

/** The latest entries of the workspace's audit log. */
export const recentEntriesQuery = queryOptions({
  queryKey: ['workspace', 'audit-log', 'recent'],
  queryFn: async ({ signal }) =>
    (await api.listAuditLog({ per_page: recentEntries, sort_by: 'created_at', sort: 'desc' }, { signal }))
      .data,
})
