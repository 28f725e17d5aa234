import type { Mail } from '@quayside/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { workspaceKey } from '../../api/query-keys.ts'

/** A page of the emails of the workspace, newest first. */
export const mailPageQuery = (page: number, state: Mail['state'] | undefined) =>
  queryOptions({
    queryKey: workspaceKey('mails', state ?? 'all', page),
    queryFn: ({ signal }) =>
      api.listMails(
        {
          page,
          per_page: 25,
          sort_by: 'created_at',
          sort: 'desc',
          ...(state === undefined ? {} : { state }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
