import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../database/transaction.ts'
import { changeConditionsOf, conditionsOf, facetConditions, type BuildFilter } from './build-conditions.db.ts'

type Kind = 'all' | 'facets' | 'branch' | 'label' | 'labels'

/** How many builds match: from the counts where they can tell, else counted one by one. */
export function selectTotal(applicationId: string, filter: BuildFilter): RawBuilder<number> {
  if (asksForDaysAlone(filter)) return sumOfDays(applicationId, filter)
  const kind = kindOf(filter)
  if (kind === undefined)
    return sql<number>`(select count(*) from builds where ${conditionsOf(applicationId, filter)})`
  const counted = [
    sql`build_counts.application_id = ${applicationId}`,
    sql`build_counts.kind = ${sql.lit(kind)}`,
    ...facetConditions('build_counts', filter),
  ]
  if (kind === 'label') counted.push(sql`build_counts.label_ids = ${filter.labelIds}`)
  if (kind === 'labels') counted.push(sql`build_counts.label_ids && ${filter.labelIds}`)
  return sql<number>`(
    (select coalesce(sum(builds), 0)::bigint from build_counts where ${sql.join(counted, sql` and `)})
    + (select coalesce(sum(change), 0) from build_changes where ${changeConditionsOf(applicationId, filter)}))`
}

function kindOf(filter: BuildFilter): Kind | undefined {
  const { labelIds, branches, platforms, streamIds, customTargetIds, sources, search } = filter
  if ([search, filter.createdAfter, filter.createdBefore].some((given) => given !== undefined))
    return undefined
  const hasFacets = [platforms, streamIds, customTargetIds, sources].some((given) => given !== undefined)
  if (labelIds !== undefined) {
    if (branches !== undefined) return undefined
    if (labelIds.length === 1) return 'label'
    return hasFacets ? undefined : 'labels'
  }
  if (branches !== undefined) return 'branch'
  return hasFacets ? 'facets' : 'all'
}

function asksForDaysAlone({ createdAfter, createdBefore, ...others }: BuildFilter): boolean {
  const isAsked = createdAfter !== undefined || createdBefore !== undefined
  return isAsked && Object.values(others).every((given) => given === undefined)
}

/** Whole days (UTC) from their counts, and the rest of the first and last one build by build. */
function sumOfDays(applicationId: string, { createdAfter, createdBefore }: BuildFilter): RawBuilder<number> {
  const after = createdAfter ?? '-infinity'
  const before = createdBefore ?? 'infinity'
  const day = (time: RawBuilder<unknown>) => sql`(${time} at time zone 'UTC')::date`
  const moment = (date: RawBuilder<unknown>) => sql`(${date}::timestamp at time zone 'UTC')`
  const first = day(sql`(${after}::timestamptz + interval '1 day' - interval '1 microsecond')`)
  const end = day(sql`${before}::timestamptz`)
  const firstMoment = moment(first)
  const endMoment = moment(end)
  const counted = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`(
    select count(*) from builds where builds.application_id = ${applicationId} and builds.deleted_at is null
      and builds.created_at >= ${from} and builds.created_at < ${to})`
  return sql<number>`(
    (select coalesce(sum(builds), 0)::bigint from build_counts
      where build_counts.application_id = ${applicationId} and build_counts.kind = 'day'
        and build_counts.scm_branch is null and build_counts.label_ids is null
        and build_counts.day >= ${first} and build_counts.day < ${end})
    + (select coalesce(sum(change), 0) from build_changes
      where build_changes.application_id = ${applicationId}
        and build_changes.created_at >= ${firstMoment} and build_changes.created_at < ${endMoment})
    + ${counted(sql`${after}::timestamptz`, sql`least(${firstMoment}, ${before}::timestamptz)`)}
    + ${counted(sql`greatest(${firstMoment}, ${endMoment})`, sql`${before}::timestamptz`)})`
}

/** How many changes wait to be taken into the counts. */
export async function countWaitingChanges(db: Executor): Promise<number> {
  const { waiting } = await db
    .selectFrom('build_changes')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  return waiting
}

/** Takes so many changes into the counts; answers how many there were. */
export async function updateBuildCounts(db: Executor, most: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`select count_build_changes(${most}) as taken`.execute(db)
  return rows[0]?.taken ?? 0
}
