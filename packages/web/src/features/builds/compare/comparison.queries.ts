import type { EntryChange } from '@quayside/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { pageByPage } from '../../../api/next-page.ts'
import { applicationKey } from '../../../api/query-keys.ts'

const perPage = 50
/** The files of a build never change, only the chunk indexes appear later. */
const staleMs = 5 * 60_000

export type ComparedBuilds = { application_id: string; base_build_id: string; build_id: string }

export const changeKinds: readonly EntryChange['kind'][] = ['added', 'changed', 'removed', 'renamed']

export type EntrySelection = {
  kind: EntryChange['kind'] | undefined
  search: string
  sort_by: 'size_change' | 'size' | 'path'
  sort: 'asc' | 'desc'
}

const keyOf = ({ application_id, base_build_id, build_id }: ComparedBuilds, ...parts: readonly unknown[]) =>
  applicationKey(application_id, 'builds', 'comparison', base_build_id, build_id, ...parts)

/** The files of two builds, with the totals of their entries. */
export const comparisonQuery = (builds: ComparedBuilds) =>
  queryOptions({
    queryKey: keyOf(builds),
    queryFn: async ({ signal }) => (await api.getBuildComparison(builds, { signal })).data.files,
    staleTime: staleMs,
  })

/** The entries of a file that changed between two builds. */
export const entryChangesQuery = (
  builds: ComparedBuilds,
  file_id: string,
  { kind, search, ...order }: EntrySelection,
) =>
  infiniteQueryOptions({
    queryKey: keyOf(builds, 'entries', file_id, { ...order, kind, search }),
    queryFn: ({ signal, pageParam }) =>
      api.listEntryChanges(
        {
          ...builds,
          file_id,
          ...order,
          ...(kind === undefined ? {} : { kind }),
          ...(search === '' ? {} : { search }),
          page: pageParam,
          per_page: perPage,
        },
        { signal },
      ),
    ...pageByPage,
    staleTime: staleMs,
  })
