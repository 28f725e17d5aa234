import { optionalOneOf, texts } from '../../../api/search-params.ts'

const groupings = ['version', 'run', 'branch'] as const

const sortKeys = ['version', 'version_short', 'size_total_bytes', 'built_at', 'created_at'] as const

const filterNames = [
  'search',
  'platforms',
  'streams',
  'labels',
  'sources',
  'branches',
  'custom_targets',
  'architectures',
  'created_after',
  'created_before',
] as const

const filters = texts(...filterNames)
const columns = texts('hidden_columns')

export type BuildListSearch = ReturnType<typeof filters> & {
  trashed?: true | undefined
  kept?: boolean | undefined
  /** Only builds of the last days. */
  created_within_days?: number | undefined
  sort_by?: (typeof sortKeys)[number] | undefined
  sort?: 'asc' | 'desc' | undefined
  /** If undefined, the number of builds decides; see `withGrouping`. */
  group_by?: Grouping | 'none' | undefined
  /** The hidden columns, or `none`; undefined for those that the person has chosen in this browser. */
  hidden_columns?: string | undefined
}

export type Grouping = (typeof groupings)[number]

/**
 * Returns the state of the builds list: the filters and the order as the API names them. Several values of a filter are
 * separated by commas, and a comma within a value is written as `\,`.
 */
export const buildListSearch = (search: Record<string, unknown>): BuildListSearch => ({
  ...filters(search),
  created_after: validTime(search['created_after']),
  created_before: validTime(search['created_before']),
  created_within_days: validDays(search['created_within_days']),
  trashed: search['trashed'] === true || search['trashed'] === 'true' ? true : undefined,
  kept: search['kept'] === true || search['kept'] === false ? search['kept'] : undefined,
  sort_by: optionalOneOf(search['sort_by'], sortKeys),
  sort: optionalOneOf(search['sort'], ['asc', 'desc']),
  group_by: optionalOneOf(search['group_by'], [...groupings, 'none']),
  ...columns(search),
})

/** The total of a grouped list reads every build, which takes too long to do it unasked in larger applications. */
const maxGroupedUnasked = 200_000

/** Returns the state of the list of an application with this number of builds, with its grouping. */
export const withGrouping = (search: BuildListSearch, buildCount: number): BuildListSearch => ({
  ...search,
  group_by:
    search.group_by ?? (search.trashed === true || buildCount > maxGroupedUnasked ? 'none' : 'version'),
})

/** Returns what the builds of a row have in common; undefined if each build is a row. */
export const groupingOf = ({ group_by: grouping }: BuildListSearch): Grouping | undefined =>
  grouping === 'none' ? undefined : grouping

/** Returns the time in a search parameter; undefined if it is none. */
const validTime = (value: unknown): string | undefined =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined

/** Returns the number of days in a search parameter; undefined if it is none that the API accepts. */
function validDays(value: unknown): number | undefined {
  const days = Number(value)
  return Number.isInteger(days) && days >= 1 && days <= 3650 ? days : undefined
}

/** Returns whether the list shows only some of the builds. */
export const isFiltered = (search: BuildListSearch): boolean =>
  search.kept !== undefined ||
  search.created_within_days !== undefined ||
  filterNames.some((name) => search[name] !== undefined)

/** Splits the values of a filter. */
export const valuesOf = (text: string | undefined): string[] =>
  text === undefined
    ? []
    : text
        .split(/(?<!\\),/)
        .map((value) => value.replaceAll(String.raw`\,`, ',').trim())
        .filter((value) => value !== '')

/** Joins the values of a filter; undefined without values, so that the filter leaves the URL. */
export const joinValues = (values: readonly string[]): string | undefined =>
  values.length === 0 ? undefined : values.map((value) => value.replaceAll(',', String.raw`\,`)).join(',')
