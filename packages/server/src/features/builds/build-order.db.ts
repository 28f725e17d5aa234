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

type Page = {
  /** Selects the listed builds with the sorted columns. */
  listed: RawBuilder<unknown>
  total: RawBuilder<unknown>
  order: BuildOrder
  limit: RawBuilder<unknown>
  offset: RawBuilder<unknown>
  isLate: boolean
}

/**
 * Selects the total and the IDs of a page. A late page is read from the end of the list that is nearer to it, so that the last page is
 * read as fast as the first one. PostgreSQL evaluates a subquery only when it needs it: not for the other end, and not for a page
 * without builds, for which it would otherwise compare every build again.
 */
export function selectPage({ listed, total, order, limit, offset, isLate }: Page): RawBuilder<unknown> {
  const counted = sql`(select total from counted)`
  const fromStart = sql`array(select builds.id from ${listed} as builds where ${counted} > ${offset}
    order by ${orderOf(order)} limit ${limit} offset ${offset})`
  const reversed = sql`select builds.* from ${listed} as builds where ${counted} > ${offset}
    order by ${orderOf(order, true)}
    limit greatest(least(${limit}, ${counted} - ${offset}), 0) offset greatest(${counted} - ${offset} - ${limit}, 0)`
  const fromEnd = sql`array(select builds.id from (${reversed}) as builds order by ${orderOf(order)})`
  const ids = isLate ? sql`case when ${offset} > total / 2 then ${fromEnd} else ${fromStart} end` : fromStart
  return sql`with counted as materialized (select ${total} as total) select total, ${ids} as ids from counted`
}
