import { sql, type RawBuilder } from 'kysely'
import { conditionsOf, type BuildFilter } from './build-filter.db.ts'

/** What the builds of a group have in common: the version, commit and run, only the run, or the branch. */
export const groupings = ['version', 'run', 'branch'] as const
export type Grouping = (typeof groupings)[number]

// Each is a column of an index with the application, the time and the ID. Builds without a value are no part of a group.
const groupColumns = { version: 'version_group', run: 'run_group', branch: 'scm_branch' } as const

/** More builds of a group are found by filtering the list. */
export const maxMembers = 20

/** Returns the SQL condition for builds of a subquery `matching`, which are the newest of their group in `from`. */
export function isNewestOfGroup(grouping: Grouping, from: RawBuilder<unknown>): RawBuilder<boolean> {
  const column = sql.ref(groupColumns[grouping])
  return sql`(matching.${column} is null or not exists (select from ${from} as newer
    where newer.${column} = matching.${column} and (newer.created_at, newer.id) > (matching.created_at, matching.id)))`
}

/** Returns the columns that `isNewestOfGroup` needs. */
export const columnsOfGrouping = (grouping: Grouping): string[] => [
  groupColumns[grouping],
  'created_at',
  'id',
]

/** Selects how many builds of `from` are in the same group as a newer one, and therefore no row of a grouped list. */
export function selectOlderOfGroups(grouping: Grouping, from: RawBuilder<unknown>): RawBuilder<number> {
  const column = sql.ref(groupColumns[grouping])
  return sql<number>`(select coalesce(sum(size - 1), 0)::bigint from (
    select count(*) as size from ${from} as grouped where ${column} is not null group by ${column}) as sizes)`
}

export type Group = {
  /** Number of builds in the group that match the filter, with the newest. */
  size: number
  /** IDs of the other builds that match the filter, newest first, at most `maxMembers`. */
  otherIds: string[]
}

/** Selects the groups of builds that are the newest of theirs as JSON, by the ID of the newest build. */
export function selectGroups(
  applicationId: string,
  filter: BuildFilter,
  grouping: Grouping,
  newestIds: RawBuilder<unknown>,
): RawBuilder<Record<string, Group> | null> {
  const column = sql.ref(groupColumns[grouping])
  const members = sql`from builds where ${conditionsOf('builds', applicationId, filter)} and builds.${column} = newest.${column}`
  return sql`(select json_object_agg(newest.id, json_build_object('size', (select count(*) ${members}), 'otherIds', array(
      select builds.id ${members} and builds.id <> newest.id
      order by builds.created_at desc, builds.id desc limit ${maxMembers})))
    from builds as newest where newest.id = any(${newestIds}) and newest.${column} is not null)`
}
