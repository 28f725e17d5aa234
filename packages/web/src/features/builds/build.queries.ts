import type { GroupedBuild, ListedBuild } from '@quayside/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { applicationKey } from '../../api/query-keys.ts'
import type { BuildListSearch, Grouping } from './list/build-list.search.ts'

export const buildsPerPage = 100

/** The order of the list if the URL names none: newest first. */
export const defaultOrder = { sort_by: 'created_at', sort: 'desc' } as const

export type BuildPageSearch = Omit<BuildListSearch, 'group_by'> & { group_by?: Grouping | undefined }

/** One page of the builds that match the filters, with the total. Pages start at 1. */
export const buildPageQuery = (applicationId: string, search: BuildPageSearch, page: number) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'builds', 'list', search, page),
    queryFn: ({ signal }) =>
      api.listBuilds(
        {
          application_id: applicationId,
          ...defaultOrder,
          ...withoutUnset(search),
          page,
          per_page: buildsPerPage,
        },
        { signal },
      ),
  })

/** Returns whether the server will read, or is reading, the package. */
export const isProcessing = ({ processing }: Pick<ListedBuild, 'processing'>): boolean =>
  processing === 'queued' || processing === 'waiting'

/** A single build with its files and package metadata. */
export const buildQuery = (applicationId: string, buildId: string) =>
  queryOptions({
    queryKey: applicationKey(applicationId, 'builds', 'one', buildId),
    queryFn: async ({ signal }) =>
      (await api.getBuild({ application_id: applicationId, build_id: buildId }, { signal })).data,
  })

/** Returns the version with the build number, such as `2.14.0 (8123)`. */
export const versionText = ({
  version,
  build_number: number,
}: Pick<ListedBuild, 'version' | 'build_number'>) => (number === null ? version : `${version} (${number})`)

/** Returns every build of the rows of a list. */
export const ungroup = (rows: readonly GroupedBuild[]): ListedBuild[] =>
  rows.flatMap((row) => [row, ...(row.group?.builds ?? [])])

/** Returns the platforms of builds, each once. */
export const platformsOf = (builds: readonly ListedBuild[]): ListedBuild['platform'][] => [
  ...new Map(builds.map(({ platform }) => [platform.identifier, platform])).values(),
]

function withoutUnset(search: BuildPageSearch): BuildPageSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
