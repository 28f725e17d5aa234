import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { pageByPage } from '../../api/next-page.ts'
import { workspaceKey } from '../../api/query-keys.ts'
import { auditFilter, type AuditSearch } from './audit-log.search.ts'

const recentEntries = 40

/** The latest entries of the workspace's audit log. */
export const recentEntriesQuery = queryOptions({
  queryKey: workspaceKey('audit-log', 'recent'),
  queryFn: async ({ signal }) =>
    (await api.listAuditLog({ per_page: recentEntries, sort_by: 'created_at', sort: 'desc' }, { signal }))
      .data,
})

const entriesPerPage = 50

/** The entries that match the filters, newest first. */
export const auditEntriesQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: workspaceKey('audit-log', 'list', auditFilter(search)),
    queryFn: ({ pageParam, signal }) =>
      api.listAuditLog(
        {
          ...auditFilter(search),
          page: pageParam,
          per_page: entriesPerPage,
          sort_by: 'created_at',
          sort: 'desc',
        },
        { signal },
      ),
    ...pageByPage,
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })
