import { optionalOneOf, texts } from '../../../api/search-params.ts'
import { releaseStatusText } from '../../../text/releases/release-status.ts'

const sortKeys = ['version', 'title', 'created_at'] as const
const filters = texts('search', 'status', 'label', 'platform')

export type ReleaseListSearch = ReturnType<typeof filters> & {
  sort_by?: (typeof sortKeys)[number] | undefined
  sort?: 'asc' | 'desc' | undefined
}

/** Returns the state of the releases list. Several values of a filter are separated by commas. */
export const releaseListSearch = (search: Record<string, unknown>): ReleaseListSearch => ({
  ...filters(search),
  status: knownStatuses(filters(search).status),
  sort_by: optionalOneOf(search['sort_by'], sortKeys),
  sort: optionalOneOf(search['sort'], ['asc', 'desc']),
})

/** Returns the statuses that exist; undefined if none does. */
function knownStatuses(statuses: string | undefined): string | undefined {
  const known = statuses?.split(',').filter((status) => Object.hasOwn(releaseStatusText, status))
  return known?.join(',') || undefined
}

/** The change that removes every filter. The order of the list stays. */
export const noReleaseFilters: Partial<ReleaseListSearch> = {
  search: undefined,
  status: undefined,
  label: undefined,
  platform: undefined,
}

/** Returns whether the list shows only some of the releases. */
export const isFiltered = ({ search, status, label, platform }: ReleaseListSearch): boolean =>
  [search, status, label, platform].some((value) => value !== undefined)
