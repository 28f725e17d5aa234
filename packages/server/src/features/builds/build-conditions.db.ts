import { sql, type RawBuilder } from 'kysely'
import { containsPattern } from '../../database/contains-pattern.ts'

export type BuildFilter = {
  platforms: string[] | undefined
  streamIds: string[] | undefined
  labelIds: string[] | undefined
  customTargetIds: string[] | undefined
  sources: string[] | undefined
  branches: string[] | undefined
  search: string | undefined
  createdAfter: string | undefined
  createdBefore: string | undefined
}

export const noFilter: BuildFilter = {
  platforms: undefined,
  streamIds: undefined,
  labelIds: undefined,
  customTargetIds: undefined,
  sources: undefined,
  branches: undefined,
  search: undefined,
  createdAfter: undefined,
  createdBefore: undefined,
}

/** `builds`, or what has been noted and counted of them, under the same names of columns. */
export type BuildsTable = 'builds' | 'build_changes' | 'build_counts'

/** What a filter asks of the builds of an application, those in the trash aside. */
export function conditionsOf(applicationId: string, filter: BuildFilter): RawBuilder<boolean> {
  const all = [
    sql`builds.application_id = ${applicationId}`,
    sql`builds.deleted_at is null`,
    ...facetConditions('builds', filter),
    ...timeConditions('builds', filter),
  ]
  if (filter.labelIds !== undefined)
    all.push(sql`exists (select from build_labels where build_labels.build_id = builds.id
      and build_labels.label_id = any(${filter.labelIds}))`)
  if (filter.search !== undefined) all.push(matches(applicationId, filter.search))
  return sql<boolean>`${sql.join(all, sql` and `)}`
}

/** The same of noted changes; a search cannot be asked of them. */
export function changeConditionsOf(applicationId: string, filter: BuildFilter): RawBuilder<boolean> {
  const all = [
    sql`build_changes.application_id = ${applicationId}`,
    ...facetConditions('build_changes', filter),
    ...timeConditions('build_changes', filter),
  ]
  if (filter.labelIds !== undefined) all.push(sql`build_changes.label_ids && ${filter.labelIds}`)
  return sql<boolean>`${sql.join(all, sql` and `)}`
}

/** What tables of builds, of their changes and of their counts are asked alike. */
export function facetConditions(table: BuildsTable, filter: BuildFilter): RawBuilder<unknown>[] {
  const facets = {
    platform: filter.platforms,
    stream_id: filter.streamIds,
    build_source: filter.sources,
    scm_branch: filter.branches,
    custom_target_id: filter.customTargetIds,
  }
  return Object.entries(facets).flatMap(([column, values]) => {
    if (values === undefined) return []
    const type = sql.raw(column === 'custom_target_id' ? 'uuid[]' : 'text[]')
    return sql`${sql.ref(`${table}.${column}`)} = any(${values}::${type})`
  })
}

function timeConditions(
  table: 'builds' | 'build_changes',
  { createdAfter, createdBefore }: BuildFilter,
): RawBuilder<unknown>[] {
  const column = sql.ref(`${table}.created_at`)
  return [
    ...(createdAfter === undefined ? [] : [sql`${column} >= ${createdAfter}::timestamptz`]),
    ...(createdBefore === undefined ? [] : [sql`${column} < ${createdBefore}::timestamptz`]),
  ]
}

/** Two sets by an index each, and not one condition, for which PostgreSQL would read every build. */
function matches(applicationId: string, search: string): RawBuilder<unknown> {
  const pattern = containsPattern(search)
  return sql`builds.id in (
    select found.id from builds as found
    where found.application_id = ${applicationId} and found.deleted_at is null
      and build_search_text(found.version_major, found.version_minor, found.version_patch, found.version_extra,
        found.version_meta, found.build_number, found.notes, found.scm_branch, found.scm_commit_sha) ilike ${pattern}
    union all
    select files.build_id from files where files.filename ilike ${pattern})`
}
