import { sql, type RawBuilder } from 'kysely'
import type { Page } from '../../http/pagination.ts'
import { conditionsOf, type BuildFilter } from './build-filter.db.ts'
import { matchesSearch, selectBuildsMatching } from './build-search.db.ts'

export type SelectedPage = {
  applicationId: string
  filter: BuildFilter
  /** The columns that `inOrder` refers to. */
  columns: readonly string[]
  inOrder: RawBuilder<unknown>
  page: Page
}

/** Limits the work of a search in numbers of builds. */
export const searchLimits = {
  /** The number of matches that are listed and counted. Counting the matches of a common text takes seconds. */
  maxMatches: 10_000,
  /** The number of builds that are always read in order. */
  sampleSize: 2_000,
  /** The number of matches in the sample from which a text is common. */
  commonMatches: 20,
  /** The number of builds that are read in order if the text is common. */
  maxRead: 20_000,
}

/**
 * Selects the IDs and the total of a page of builds that match a search and the other filters. Builds with a common text
 * are found by reading the builds in order, those with a rare text through the index. PostgreSQL cannot estimate how
 * common a text is, so the first builds in order are a sample.
 */
export function selectSearchPage(
  { applicationId, filter, columns, inOrder, page }: SelectedPage,
  search: string,
  limits: typeof searchLimits,
): RawBuilder<{ ids: string[]; total: number }> {
  const [maxMatches, sampleSize, commonMatches, maxRead] = [
    sql.lit(limits.maxMatches),
    sql.lit(limits.sampleSize),
    sql.lit(limits.commonMatches),
    sql.lit(limits.maxRead),
  ]
  const end = Math.min(page.offset + page.limit, limits.maxMatches)
  const limit = Math.max(0, end - page.offset)
  const selected = sql.join(columns.map((column) => sql.ref(`builds.${column}`)))
  const isListed = conditionsOf('builds', applicationId, { ...filter, search: undefined })
  const readInOrder = (isNeeded: RawBuilder<unknown>, from: number, to: number) => sql`
    select ${selected}, ${matchesSearch(applicationId, search)} as is_match from (
      select ${selected} from builds where ${isNeeded} and ${isListed}
      order by ${inOrder} limit ${to - from} offset ${from}) as builds`
  const pageOf = (matching: RawBuilder<unknown>) => sql`array(
    select builds.id from (${matching}) as builds order by ${inOrder} limit ${limit} offset ${page.offset})`
  // PostgreSQL evaluates conditions without columns first and only once, so that it does not read what is not needed.
  // `offset 0` makes it look up each build that the index finds, until the limit is reached.
  return sql`
    with sample as materialized (${readInOrder(sql`true`, 0, limits.sampleSize)}),
    sampled as materialized (
      select count(*) as builds, count(*) filter (where is_match) >= ${commonMatches} as is_common from sample
    ), rest as materialized (
      ${readInOrder(sql`(select is_common and builds = ${sampleSize} from sampled)`, limits.sampleSize, limits.maxRead)}
    ), matching as materialized (
      select * from sample where is_match union all select * from rest where is_match
    ), progress as materialized (
      select matches, matches >= ${maxMatches}
        or builds < case when is_common then ${maxRead} else ${sampleSize} end as is_complete
      from (
        select (select count(*) from matching) as matches, builds + (select count(*) from rest) as builds, is_common
        from sampled) as counted
    ), indexed as materialized (
      select builds.* from (${selectBuildsMatching(applicationId, search)}) as found cross join lateral (
        select ${selected} from builds where builds.id = found.build_id and ${isListed} offset 0) as builds
      where (select not is_complete from progress)
    )
    select
      case when is_complete then least(matches, ${maxMatches})
        else (select count(*) from (select from indexed limit ${maxMatches}) as counted) end as total,
      case when is_complete or matches >= ${sql.lit(end)} then ${pageOf(sql`select * from matching`)}
        else ${pageOf(sql`select * from indexed`)} end as ids
    from progress`
}
