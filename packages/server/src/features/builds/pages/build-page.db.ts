import { sql, type RawBuilder } from 'kysely'

export type BuildSort = 'version' | 'version_short' | 'size_total_bytes' | 'built_at' | 'created_at'
export type BuildOrder = { sortBy: BuildSort; direction: 'asc' | 'desc' }

/** The sorted columns of each order, which are followed by the ID. Each list matches the column order of an index. */
export const sortColumns: Record<BuildSort, readonly string[]> = {
  version: ['version_sort'],
  version_short: ['version_major', 'version_minor', 'version_patch'],
  size_total_bytes: ['size_total_bytes'],
  built_at: ['built_at'],
  created_at: ['created_at'],
}

/** Returns the sort expressions of a list of builds, or those of the list from its end. */
export function orderOf({ sortBy, direction }: BuildOrder, isReversed = false): RawBuilder<unknown> {
  const directed = (direction === 'asc') === isReversed ? 'desc' : 'asc'
  // Builds without a build time come last in both directions. PostgreSQL does this by default only in ascending order.
  const nulls = isReversed ? ' nulls first' : ' nulls last'
  const directionOf = (column: string) => (column === 'built_at' ? directed + nulls : directed)
  return sql.join(
    [...sortColumns[sortBy], 'id'].map(
      (column) => sql`${sql.ref(`builds.${column}`)} ${sql.raw(directionOf(column))}`,
    ),
  )
}

/**
 * The number of matching builds up to which all of them are found and then sorted, instead of reading builds in the order of the list,
 * if at least this many times as many builds do not match.
 */
const maxSorted = 20_000
const minRarity = 20

type Place = {
  order: BuildOrder
  limit: RawBuilder<unknown>
  offset: RawBuilder<unknown>
  isLate: boolean
}

type Page = Place & {
  /** Selects the listed builds with the sorted columns. */
  listed: RawBuilder<unknown>
  total: RawBuilder<unknown>
  /** A number that the total does not exceed and that takes less time, or the total. If omitted, builds are never sorted. */
  mostBuilds: RawBuilder<unknown> | undefined
  /** The number of builds of the application. */
  allBuilds: RawBuilder<unknown>
}

/** Returns the IDs of a page of the builds that `from` selects, of which there are `counted.total`. */
export function idsOfPage(
  from: RawBuilder<unknown>,
  { order, limit, offset, isLate }: Place,
): RawBuilder<unknown> {
  const counted = sql`(select total from counted)`
  const fromStart = sql`array(select builds.id from ${from} as builds where ${counted} > ${offset}
    order by ${orderOf(order)} limit ${limit} offset ${offset})`
  if (!isLate) return fromStart
  const reversed = sql`select builds.* from ${from} as builds where ${counted} > ${offset}
    order by ${orderOf(order, true)}
    limit greatest(least(${limit}, ${counted} - ${offset}), 0) offset greatest(${counted} - ${offset} - ${limit}, 0)`
  return sql`case when ${offset} > total / 2
    then array(select builds.id from (${reversed}) as builds order by ${orderOf(order)}) else ${fromStart} end`
}

/**
 * Selects the total and the IDs of a page. PostgreSQL evaluates a subquery only when it needs it, so that the builds are read in one
 * of these ways, or not at all for a page without builds:
 * - Few builds are found through any index and sorted. The planner would often read builds in the order of the list, because it
 *   expects matches everywhere in it.
 * - A late page is read from the end of the list that is nearer to it.
 */
export function selectPage(page: Page): RawBuilder<unknown> {
  const { listed, total, mostBuilds, allBuilds } = page
  const inOrder = idsOfPage(listed, page)
  if (mostBuilds === undefined)
    return sql`with counted as materialized (select ${total} as total) select total, ${inOrder} as ids from counted`
  const areFew = sql`(select builds <= most_sorted from most)`
  const sorted = idsOfPage(sql`found`, { ...page, isLate: false })
  return sql`with most as materialized (
      select ${mostBuilds} as builds, least(${sql.lit(maxSorted)}, ${allBuilds} / ${sql.lit(minRarity)}) as most_sorted),
    found as materialized (select * from ${listed} as found where ${areFew}),
    counted as materialized (select ${
      total === mostBuilds
        ? sql`(select builds from most)`
        : sql`case when ${areFew} then (select count(*) from found) else ${total} end`
    } as total)
    select total, case when ${areFew} then ${sorted} else ${inOrder} end as ids from counted`
}
