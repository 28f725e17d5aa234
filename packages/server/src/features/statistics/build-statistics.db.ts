import { sql } from 'kysely'
import type { Executor } from '../../database/transaction.ts'
import { channelsOfPeople } from '../builds/files/download.ts'
import type { Part } from './build-periods.ts'

export type BuildDay = { kind: 'uploads' | 'failures'; days_ago: number; amount: number }

/**
 * Returns the current date in UTC, and the uploads of each of the last `days` days with the number of these builds that
 * could not be read. Deleted builds count only as uploads. Dates in the future count as today.
 */
export async function findBuildDays(
  db: Executor,
  applicationId: string,
  days: number,
): Promise<{ today: string; counts: BuildDay[] }> {
  const { rows } = await sql<{ today: string; counts: BuildDay[] }>`
    with today as materialized (select utc_day(now()) as date), counted as (
      select 'uploads' as kind, greatest(today.date - day, 0) as days_ago, sum(amount)::bigint as amount
      from daily_statistics, today
      where application_id = ${applicationId} and kind = 'uploads' and day > today.date - ${days}::int
      group by 2
      union all
      select 'failures', greatest(today.date - utc_day(created_at), 0), count(*)
      from builds, today
      where application_id = ${applicationId} and processing = 'failed' and deleted_at is null
        and created_at >= (today.date - ${days}::int + 1)::timestamp at time zone 'UTC'
      group by 2
    )
    select to_char(date, 'YYYY-MM-DD') as today, coalesce((select json_agg(counted) from counted), '[]') as counts
    from today`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('a statement that always returns one row returned none')
  return found
}

/** What the builds of one part of a period have in common; those of one platform unless `platform` is null. */
export type BuildSample = {
  position: number
  platform: string | null
  builds: number
  median_bytes: number
  downloaded: number
  /** The median and the 90th percentile; null without a value. */
  download_seconds: [number, number] | null
  timed: number
  build_seconds: [number, number] | null
}

/** Summarizes the newest builds of each part of a period, at most `maxBuilds` of each, excluding the trash. */
export async function listBuildSamples(
  db: Executor,
  applicationId: string,
  parts: readonly Part[],
  maxBuilds: number,
): Promise<BuildSample[]> {
  const percentiles = (value: string) =>
    sql`percentile_cont(array[0.5, 0.9]) within group (order by ${sql.ref(value)})`
  const { rows } = await sql<BuildSample>`
    with parts as (
      select position, first_day::timestamp at time zone 'UTC' as from_time,
        (last_day + 1)::timestamp at time zone 'UTC' as until_time
      from unnest(${parts.map(({ from }) => from)}::date[], ${parts.map(({ to }) => to)}::date[])
        with ordinality as part (first_day, last_day, position)
    ), sampled as (
      select position, found.*, extract(epoch from (
        select min(downloads.created_at) from downloads
        where downloads.build_id = found.id and channel in (${sql.join(channelsOfPeople.map((channel) => sql.lit(channel)))})
          and metadata_artifact_id is null
      ) - created_at)::float8 as download_seconds
      from parts cross join lateral (
        select id, platform, size_total_bytes, created_at,
          -- Hours have any number of digits, which an interval cannot hold.
          (split_part(ci_build_duration, ':', 1)::numeric * 3600 + split_part(ci_build_duration, ':', 2)::numeric * 60
            + split_part(ci_build_duration, ':', 3)::numeric)::float8 as build_seconds
        from builds
        where application_id = ${applicationId} and deleted_at is null
          and created_at >= from_time and created_at < until_time
        order by created_at desc, id desc limit ${maxBuilds}
      ) as found
    )
    select (position - 1)::int as position, platform, count(*) as builds,
      percentile_disc(0.5) within group (order by size_total_bytes) as median_bytes,
      count(download_seconds) as downloaded, ${percentiles('download_seconds')} as download_seconds,
      count(build_seconds) as timed, ${percentiles('build_seconds')} as build_seconds
    from sampled group by grouping sets ((position), (position, platform))
    order by position, platform nulls first`.execute(db)
  return rows
}
