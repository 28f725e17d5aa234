import { sql } from 'kysely'
import type { Executor } from '../../../database/transaction.ts'
import { other } from './client-facts.ts'

/** The requests of clients with the same attributes on a day, by their outcome. */
export type RequestCount = {
  channel_id: string
  day: string
  format: string
  version: string
  platform: string
  architecture: string
  documents: number
  no_updates: number
  unchanged: number
  errors: number
  downloads: number
}

/** The requests of a format in an hour. Times are milliseconds since 1970. */
export type HealthCount = {
  channel_id: string
  format: string
  hour: string
  requests: number
  errors: number
  request_ms: number
  error_ms: number | null
  error_status: number | null
  error_path: string | null
}

/**
 * Adds counts in one statement. Rows are written in the same order by every node, so that nodes do not wait for each
 * other in a circle. Counts of a channel that has been deleted are dropped.
 */
export async function addRequestCounts(
  db: Executor,
  requests: readonly RequestCount[],
  health: readonly HealthCount[],
): Promise<void> {
  await sql`
    with requests as (
      insert into channel_requests (channel_id, version, day, format, platform, architecture, documents, no_updates,
        unchanged, errors, downloads)
      select channel_id, version, day, format, platform, architecture, documents, no_updates, unchanged, errors, downloads
      from jsonb_to_recordset(${JSON.stringify(requests)}::jsonb) as counted(channel_id text, version text, day date,
        format text, platform text, architecture text, documents bigint, no_updates bigint, unchanged bigint,
        errors bigint, downloads bigint)
      where exists (select from channels where id = channel_id)
      order by 1, 2, 3, 4, 5, 6
      on conflict (channel_id, version, day, format, platform, architecture) do update set
        documents = channel_requests.documents + excluded.documents,
        no_updates = channel_requests.no_updates + excluded.no_updates,
        unchanged = channel_requests.unchanged + excluded.unchanged,
        errors = channel_requests.errors + excluded.errors,
        downloads = channel_requests.downloads + excluded.downloads
    )
    insert into channel_health (channel_id, format, hour, requests, errors, last_request_at, last_error_at,
      last_error_status, last_error_path)
    select channel_id, format, hour, requests, errors, to_timestamp(request_ms / 1000.0),
      to_timestamp(error_ms / 1000.0), error_status, error_path
    from jsonb_to_recordset(${JSON.stringify(health)}::jsonb) as counted(channel_id text, format text,
      hour timestamptz, requests bigint, errors bigint, request_ms double precision, error_ms double precision,
      error_status integer, error_path text)
    where exists (select from channels where id = channel_id)
    order by 1, 2, 3
    on conflict (channel_id, format, hour) do update set
      requests = channel_health.requests + excluded.requests,
      errors = channel_health.errors + excluded.errors,
      last_request_at = greatest(channel_health.last_request_at, excluded.last_request_at),
      last_error_at = greatest(channel_health.last_error_at, excluded.last_error_at),
      last_error_status = case when excluded.last_error_at >= coalesce(channel_health.last_error_at, '-infinity')
        then excluded.last_error_status else channel_health.last_error_status end,
      last_error_path = case when excluded.last_error_at >= coalesce(channel_health.last_error_at, '-infinity')
        then excluded.last_error_path else channel_health.last_error_path end`.execute(db)
}

const maxVersions = 1_000

/** Lists the versions of the clients of a channel that were counted. Reads one row for each version. */
export async function listCountedVersions(db: Executor, channelId: string): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`
    with recursive counted as (
      select min(version) as version from channel_requests where channel_id = ${channelId}
      union all
      select (select min(version) from channel_requests
        where channel_id = ${channelId} and version > counted.version)
      from counted where counted.version is not null
    )
    select version from counted where version not in ('', ${other}) limit ${maxVersions}`.execute(db)
  return rows.map(({ version }) => version)
}

/** Returns the current date in UTC. */
export async function findToday(db: Executor): Promise<string> {
  const { today } = await db
    .selectNoFrom(sql<string>`to_char(utc_day(now()), 'YYYY-MM-DD')`.as('today'))
    .executeTakeFirstOrThrow()
  return today
}

/** The last `days` days up to and including `today`, in UTC. */
export type Period = { today: string; days: number }

export type VersionDay = { version: string; days_ago: number; checks: number; downloads: number }

/** Lists the checks and downloads per version and day. A check is a request that got a document, 204 or 304. */
export async function listVersionDays(
  db: Executor,
  channelId: string,
  { today, days }: Period,
): Promise<VersionDay[]> {
  const { rows } = await sql<VersionDay>`
    select version, greatest(${today}::date - day, 0) as days_ago,
      sum(documents + no_updates + unchanged)::bigint as checks, sum(downloads)::bigint as downloads
    from channel_requests where channel_id = ${channelId} and day > ${today}::date - ${days}::int
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

export type ClientRow = Pick<RequestCount, 'format' | 'platform' | 'architecture'> &
  Pick<RequestCount, 'documents' | 'no_updates' | 'unchanged' | 'errors' | 'downloads'>

/** Lists the requests per format, platform and architecture, most first. */
export async function listClientRows(
  db: Executor,
  channelId: string,
  { today, days }: Period,
): Promise<ClientRow[]> {
  const { rows } = await sql<ClientRow>`
    select format, platform, architecture, sum(documents)::bigint as documents, sum(no_updates)::bigint as no_updates,
      sum(unchanged)::bigint as unchanged, sum(errors)::bigint as errors, sum(downloads)::bigint as downloads
    from channel_requests where channel_id = ${channelId} and day > ${today}::date - ${days}::int
    group by 1, 2, 3 order by sum(documents + no_updates + unchanged) desc, 1, 2, 3`.execute(db)
  return rows
}

export type HealthRow = {
  format: string
  last_request_at: string
  last_error_at: string | null
  last_error_status: number | null
  last_error_path: string | null
  requests: number
  errors: number
}

/** Lists the state of each format that was requested, with the requests and errors of the last 24 hours. */
export async function listHealthRows(db: Executor, channelId: string): Promise<HealthRow[]> {
  const isRecent = sql`hour > now() - interval '24 hours'`
  const { rows } = await sql<HealthRow>`
    select totals.*, failed.last_error_at, failed.last_error_status, failed.last_error_path
    from (
      select format, max(last_request_at) as last_request_at,
        coalesce(sum(requests) filter (where ${isRecent}), 0)::bigint as requests,
        coalesce(sum(errors) filter (where ${isRecent}), 0)::bigint as errors
      from channel_health where channel_id = ${channelId} group by format
    ) as totals
    left join lateral (
      select last_error_at, last_error_status, last_error_path from channel_health
      where channel_id = ${channelId} and format = totals.format and last_error_at is not null
      order by hour desc limit 1
    ) as failed on true
    order by format`.execute(db)
  return rows
}

/** Deletes up to `limit` counts older than `days` days and returns the number of deleted rows. */
export async function deleteSomeOldCounts(db: Executor, days: number, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with requests as (
      delete from channel_requests where ctid = any(array(
        select ctid from channel_requests where day < utc_day(now()) - ${days}::int limit ${limit})) returning 1
    ), health as (
      delete from channel_health where ctid = any(array(
        select ctid from channel_health where hour < now() - make_interval(days => ${days}::int) limit ${limit}))
      returning 1
    )
    select (select count(*) from requests) + (select count(*) from health) as deleted`.execute(db)
  return rows[0]?.deleted ?? 0
}
