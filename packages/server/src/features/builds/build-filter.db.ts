import { sql, type RawBuilder } from 'kysely'
import { containsPattern } from '../../database/expressions.ts'
import { selectIsShareLinkUsable } from './build.db.ts'
import { matchesSearch, searchKind, type SearchKind } from './pages/build-search.db.ts'

type FilterValues = {
  platforms: string[]
  streamIds: string[]
  labelIds: string[]
  customTargetIds: string[]
  architectures: string[]
  sources: string[]
  branches: string[]
  /** States of reading metadata from the primary file. */
  processing: string[]
  search: string
  createdAfter: string
  createdBefore: string
  /** Whether the build is exempt from retention because of `keep_forever`, a release or a share link. */
  kept: boolean
  /** Selects builds in the trash. If omitted, only builds that are not in the trash are selected. */
  trashed: true
}

/** The filters for listing builds; a build must match every filter that is set. */
export type BuildFilter = { [Name in keyof FilterValues]: FilterValues[Name] | undefined }

/**
 * A table that filters apply to: `builds`, or one of the two tables whose rows are summed to compute totals. The
 * filtered columns have the same names in all three tables.
 */
type BuildsTable = 'builds' | 'build_changes' | 'build_counts'

/** The kinds of rows in `build_counts`, in order of preference for totals. */
export const countKinds = ['all', 'facets', 'branch', 'label', 'branch_label', 'labels', 'day'] as const
export type CountKind = (typeof countKinds)[number]

/** What the condition of a filter depends on besides its value. */
type Searched = {
  applicationId: string
  trashed: true | undefined
  /** Whether builds must have one label instead of any of several. */
  hasSingleLabel: boolean
  search: SearchKind
}

type FilterRule<Value> = {
  /** Returns the SQL condition for matching rows of `table`, which is always `builds` if the rule has no `kinds`. */
  condition: (value: Value, table: BuildsTable, search: Searched) => RawBuilder<unknown>
  /**
   * Returns the kinds of stored counts that can be filtered by this value. If omitted, the total is computed by
   * counting the matching builds.
   */
  kinds?: (value: Value) => readonly CountKind[]
  /** Set if the number of matches varies so much between values that no single query plan suits them all. */
  needsOwnPlan?: true
  /** Set if the condition takes so long that a list evaluates it only once, for both the page and the total. */
  isSlow?: true
  /** Distinguishes values for which the SQL differs. */
  shapeOf?: (value: Value) => string
}

export type FilterRules<Values> = { [Name in keyof Values]: FilterRule<Values[Name]> }

const facet = (column: string, type: 'text[]' | 'uuid[]' = 'text[]'): FilterRule<string[]> => ({
  condition: (values, table) => sql`${sql.ref(`${table}.${column}`)} = any(${values}::${sql.raw(type)})`,
  kinds: () => ['facets', 'branch', 'label', 'branch_label'],
})

/** The rule for each filter. Both lists and totals are derived from these rules. */
export const filterRules: FilterRules<FilterValues> = {
  platforms: facet('platform'),
  streamIds: facet('stream_id'),
  customTargetIds: facet('custom_target_id', 'uuid[]'),
  sources: facet('build_source'),
  branches: { ...facet('scm_branch'), kinds: () => ['branch', 'branch_label'], needsOwnPlan: true },
  labelIds: {
    condition: matchesLabels,
    // Summing the per-label counts would count a build with two of the labels twice.
    kinds: (ids) => (ids.length === 1 ? ['label', 'branch_label'] : ['labels']),
    needsOwnPlan: true,
    shapeOf: ({ length }) => (length === 1 ? 'one' : 'several'),
  },
  architectures: {
    condition: (identifiers) => sql`builds.architectures && ${identifiers}::text[]`,
    needsOwnPlan: true,
  },
  processing: {
    condition: (states) => sql`builds.processing = any(${states}::text[])`,
    needsOwnPlan: true,
  },
  search: {
    condition: (pattern, _, searched) => matchesSearch(pattern, searched),
    needsOwnPlan: true,
    isSlow: true,
    shapeOf: searchKind,
  },
  createdAfter: {
    condition: (time, table) => sql`${sql.ref(`${table}.created_at`)} >= ${time}::timestamptz`,
    kinds: () => ['day'],
  },
  createdBefore: {
    condition: (time, table) => sql`${sql.ref(`${table}.created_at`)} < ${time}::timestamptz`,
    kinds: () => ['day'],
  },
  kept: {
    // The subquery always selects the kept builds, even to exclude them, because there are few of them and, unlike the
    // other builds, they can be found through indexes.
    condition: (isKept, _, { applicationId }) => sql`builds.id ${sql.raw(isKept ? 'in' : 'not in')} (
      select id from builds as kept where kept.application_id = ${applicationId} and kept.keep_forever
      union all select build_id from release_builds where release_builds.application_id = ${applicationId}
      union all select build_id from share_links where share_links.application_id = ${applicationId}
        and build_id is not null and ${selectIsShareLinkUsable})`,
    needsOwnPlan: true,
    shapeOf: String,
  },
  trashed: { condition: () => sql`builds.deleted_at is not null`, needsOwnPlan: true },
}

const filterNames = Object.keys(filterRules) as (keyof FilterValues)[]

export const noFilter = Object.fromEntries(filterNames.map((name) => [name, undefined])) as BuildFilter

/** Returns the shape of the SQL for the filter. */
export const filterShape = (filter: BuildFilter): string =>
  filterNames.map((name) => shapeOfValue(name, filter[name])).join()

function shapeOfValue<Name extends keyof FilterValues>(name: Name, value: BuildFilter[Name]): string {
  return value === undefined ? '' : (filterRules[name].shapeOf?.(value) ?? 'set')
}

/** The application and a filter. `given` has the values in the SQL, which may be parameters. */
export type Matching = { applicationId: string; filter: BuildFilter; given: BuildFilter }

/** Returns the application and the filter for a statement with the values that `read` returns, by default those of the filter. */
export function matchingOf(
  applicationId: string,
  filter: BuildFilter,
  read: <T>(read: (filter: BuildFilter) => T) => T = (readValue) => readValue(filter),
): Matching {
  const values = filterNames.map((name) => {
    const value = filter[name]
    const pattern = ({ search = '' }: BuildFilter) => containsPattern(search)
    if (value === undefined || typeof value === 'boolean') return [name, value]
    return [name, name === 'search' ? read(pattern) : read((given) => given[name])]
  })
  return { applicationId, filter, given: Object.fromEntries(values) as BuildFilter }
}

/**
 * Returns the SQL condition for the application's builds that match the filter. Excludes builds in the trash unless the
 * filter selects them.
 */
export function conditionsOf(table: BuildsTable, matching: Matching): RawBuilder<boolean> {
  const all = [
    sql`${sql.ref(`${table}.application_id`)} = ${matching.applicationId}`,
    // `build_changes` and `build_counts` never include builds in the trash.
    ...(table === 'builds' && matching.filter.trashed === undefined ? [sql`builds.deleted_at is null`] : []),
    ...filterConditions(table, matching),
  ]
  return sql<boolean>`${sql.join(all, sql` and `)}`
}

/** Returns the application and the filter with other values for some filters. */
export const withFilter = (matching: Matching, changed: Partial<BuildFilter>): Matching => ({
  ...matching,
  filter: { ...matching.filter, ...changed },
  given: { ...matching.given, ...changed },
})

/** Returns the SQL condition of each filter that is set. */
export function filterConditions(
  table: BuildsTable,
  { applicationId, filter, given }: Matching,
): RawBuilder<unknown>[] {
  const hasSingleLabel = filter.labelIds?.length === 1
  const search = searchKind(filter.search ?? '')
  const searched = { applicationId, trashed: filter.trashed, hasSingleLabel, search }
  return filterNames.flatMap((name) =>
    filter[name] === undefined ? [] : conditionOf(name, given[name], { table, searched }),
  )
}

function conditionOf<Name extends keyof FilterValues>(
  name: Name,
  value: BuildFilter[Name],
  { table, searched }: { table: BuildsTable; searched: Searched },
): RawBuilder<unknown>[] {
  return value === undefined ? [] : [filterRules[name].condition(value, table, searched)]
}

/** Returns the rule of each filter that is set, by its name. */
export const rulesOf = (filter: BuildFilter) =>
  Object.fromEntries(filterNames.flatMap((name) => ruleFor(name, filter[name])))

function ruleFor<Name extends keyof FilterValues>(name: Name, value: BuildFilter[Name]) {
  const { kinds, needsOwnPlan = false, isSlow = false } = filterRules[name]
  return value === undefined ? [] : [[name, { kinds: kinds?.(value) ?? [], needsOwnPlan, isSlow }] as const]
}

function matchesLabels(ids: string[], table: BuildsTable, { hasSingleLabel }: Searched): RawBuilder<unknown> {
  if (table === 'builds')
    return sql`exists (select from build_labels where build_labels.build_id = builds.id
      and build_labels.label_id = any(${ids}::text[]))`
  // A stored count for a single label contains only that label, so equality is sufficient and can use the index.
  const operator = table === 'build_counts' && hasSingleLabel ? sql`=` : sql`&&`
  return sql`${sql.ref(`${table}.label_ids`)} ${operator} ${ids}`
}
