import { sql, type RawBuilder } from 'kysely'

/** What the builds of a group have in common: the version, commit and run, only the run, or the branch. */
export const groupings = ['version', 'run', 'branch'] as const
export type Grouping = (typeof groupings)[number]

// Each is a column of an index with the application, the time and the ID. Builds without a value are no part of a group.
const groupColumns = { version: 'version_group', run: 'run_group', branch: 'scm_branch' } as const

/** More builds of a group are found by filtering the list. */
export const maxMembers = 20

/**
 * Selects the builds of `found` that are the newest of their group, one after another in any order: whether a newer build
 * exists is a lookup in an index. This is fast for the first pages of a list.
 */
export function selectNewestByLookup(grouping: Grouping, found: RawBuilder<unknown>): RawBuilder<unknown> {
  const column = sql.ref(groupColumns[grouping])
  return sql`(select * from ${found} as matching
    where matching.${column} is null or not exists (select from ${found} as newer
      where newer.${column} = matching.${column}
        and (newer.created_at, newer.id) > (matching.created_at, matching.id)))`
}

/**
 * Selects the builds of `found` that are the newest of their group by sorting all of them, for builds without an index,
 * for late pages and for large groups, most of whose builds would be looked up in vain.
 */
export function selectNewestBySorting(grouping: Grouping, found: RawBuilder<unknown>): RawBuilder<unknown> {
  const column = sql.ref(groupColumns[grouping])
  // In the order of the index, read backward.
  return sql`(
    (select distinct on (${column}) * from ${found} as matching where ${column} is not null
      order by ${column} desc, created_at desc, id desc)
    union all (select * from ${found} as matching where ${column} is null))`
}

/** Returns the columns of `found` that selections of groups need. */
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

/** Selects the groups of builds that are the newest of theirs in `found` as JSON, by the ID of the newest build. */
export function selectGroups(
  grouping: Grouping,
  found: RawBuilder<unknown>,
  newestIds: RawBuilder<unknown>,
): RawBuilder<Record<string, Group> | null> {
  const column = sql.ref(groupColumns[grouping])
  return sql`(select json_object_agg(ids[1], json_build_object('size', size, 'otherIds', ids[2:]))
    from (select count(*) as size, (array_agg(id order by created_at desc, id desc))[:${sql.lit(maxMembers + 1)}] as ids
      from ${found} as members
      where ${column} = any(array(select ${column} from builds where id = any(${newestIds})))
      group by ${column}) as groups)`
}

/** Selects the JSON of a build of `found` with its group and the other builds of the group, which are in `found` too. */
export function selectGroupedJson(groups: RawBuilder<Record<string, Group>>): RawBuilder<string> {
  const group = sql`${groups} -> found.id`
  const others = sql`select string_agg(member.json, ',' order by other.position)
    from jsonb_array_elements_text(${group} -> 'otherIds') with ordinality as other (id, position)
    join found as member on member.id = other.id`
  return sql`concat(left(found.json, -1), ',"group":{"size":', coalesce(${group} ->> 'size', '1'), ',"builds":[',
    (${others}), ']}}')`
}
