import type { EntryChange } from '@quayside/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { applicationKey } from '../../../api/query-keys.ts'

const perPage = 50
/** The files of a build never change, only the chunk indexes appear later. */
const staleMs = 5 * 60_000

type Builds = { application_id: string; base_build_id: string; build_id: string }

export type EntrySelection = {
  file_id: string
  kind: EntryChange['kind'] | undefined
  search: string
  sort_by: 'size_change' | 'size' | 'path'
  sort: 'asc' | 'desc'
}

const keyOf = ({ application_id, base_build_id, build_id }: Builds, ...parts: readonly unknown[]) =>
  applicationKey(application_id, 'builds', 'comparison', base_build_id, build_id, ...parts)

/** The files of two builds, with the totals of their entries. */
export const comparisonQuery = (builds: Builds) =>
  queryOptions({
    queryKey: keyOf(builds),
    queryFn: async ({ signal }) => (await api.getBuildComparison(builds, { signal })).data.files,
    staleTime: staleMs,
  })

/** The entries of a file that changed between two builds. */
export const entryChangesQuery = (builds: Builds, { kind, search, ...selection }: EntrySelection) =>
  infiniteQueryOptions({
    queryKey: keyOf(builds, 'entries', { ...selection, kind, search }),
    queryFn: ({ signal, pageParam }) =>
      api.listEntryChanges(
        {
          ...builds,
          ...selection,
          ...(kind === undefined ? {} : { kind }),
          ...(search === '' ? {} : { search }),
          page: pageParam,
          per_page: perPage,
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { current_page: page, last_page: last } }) =>
      page < last ? page + 1 : undefined,
    staleTime: staleMs,
  })
