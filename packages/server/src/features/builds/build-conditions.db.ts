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
  if (filter.search !== undefined) all.push(matches(filter.search))
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

function matches(search: string): RawBuilder<unknown> {
  const pattern = containsPattern(search)
  return sql`(
    concat(builds.version_major, '.', builds.version_minor, '.', builds.version_patch,
      '-' || builds.version_extra, '+' || builds.version_meta) ilike ${pattern}
    or builds.build_number ilike ${pattern} or builds.notes ilike ${pattern}
    or builds.scm_branch ilike ${pattern} or builds.scm_commit_sha ilike ${pattern}
    or exists (select from files where files.build_id = builds.id and files.filename ilike ${pattern}))`
}
