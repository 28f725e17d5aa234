import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'

/** The days for which statistics are read: the last `days` days up to and including `today`, in UTC. */
export type Period = { today: string; days: number }

/** Returns the current date in UTC. */
export async function findToday(db: Executor): Promise<string> {
  const { today } = await db
    .selectNoFrom(sql<string>`to_char(utc_day(now()), 'YYYY-MM-DD')`.as('today'))
    .executeTakeFirstOrThrow()
  return today
}

/** How many days before today a row was recorded. A date in the future, after a change of the clock, counts as today. */
export const selectDaysAgo = ({ today }: Period) => sql<number>`greatest(${today}::date - day, 0)`

export const selectIsInPeriod = ({ today, days }: Period) => sql<boolean>`day > ${today}::date - ${days}::int`

const countedKinds = ['uploads', 'downloads', 'sent_bytes', 'reused_bytes'] as const

/**
 * Lists the uploads, the downloads and the bytes of uploads per day. Only downloads have a channel, and bytes have no
 * platform.
 */
export async function listDailyCounts(db: Executor, applicationId: string, period: Period) {
  return db
    .selectFrom('daily_statistics')
    .select([
      sql<(typeof countedKinds)[number]>`kind`.as('kind'),
      'platform',
      'channel',
      selectDaysAgo(period).as('days_ago'),
      sql<number>`sum(amount)::bigint`.as('amount'),
    ])
    .where('application_id', '=', applicationId)
    .where('kind', 'in', countedKinds)
    .where(selectIsInPeriod(period))
    .groupBy(['kind', 'platform', 'channel', 'days_ago'])
    .execute()
}

/**
 * Lists the downloads per day of the `maxVersions` versions with the most downloads. The downloads of all other versions
 * are listed with `version` null. Versions are in descending order.
 */
export async function listDailyDownloadsByVersion(
  db: Executor,
  applicationId: string,
  period: Period,
  maxVersions: number,
) {
  const isCounted = sql`application_id = ${applicationId} and kind = 'version_downloads'
    and ${selectIsInPeriod(period)}`
  // An array is compared, because the planner may choose a nested loop for a join of tens of thousands of versions.
  const { rows } = await sql<{ version: string | null; days_ago: number; amount: number }>`
    with most_downloaded as (
      select version from daily_statistics where ${isCounted}
      group by version order by sum(amount) desc, version collate name_order desc limit ${maxVersions}
    ), named as (
      select case when version = any(array(select version from most_downloaded)) then version end as version,
        ${selectDaysAgo(period)} as days_ago, amount
      from daily_statistics where ${isCounted}
    )
    select version, days_ago, sum(amount)::bigint as amount from named
    group by 1, 2 order by version collate name_order desc, days_ago`.execute(db)
  return rows
}

/**
 * Lists the changes in the bytes stored in each stream. The changes before the period have `days_ago` equal to the
 * number of its days. Deleted streams are combined into one with `stream` null.
 */
export async function listByteChanges(db: Executor, applicationId: string, period: Period) {
  const { rows } = await sql<{
    stream: { id: string; name: string } | null
    days_ago: number
    amount: number
  }>`
    with changes as materialized (
      select stream_id, least(${selectDaysAgo(period)}, ${period.days}::int) as days_ago, sum(amount) as amount
      from daily_statistics where application_id = ${applicationId} and kind = 'stored_bytes' group by 1, 2
    )
    select case when streams.id is not null then json_build_object('id', streams.id, 'name', name) end as stream,
      days_ago, sum(amount)::bigint as amount
    from changes left join streams on streams.id = changes.stream_id and streams.moving_to is null
    group by streams.id, days_ago
    order by streams.created_at, name collate name_order, days_ago`.execute(db)
  return rows
}

/** Merges up to `limit` new rows into the rows with the same values; returns the number of rows merged. */
export async function mergeSomeStatistics(db: Executor, limit: number): Promise<number> {
  const { rows } = await sql<{ merged: number }>`
    with taken as (
      delete from daily_statistics
      where id in (select id from daily_statistics where not is_merged order by id limit ${limit}) returning *
    ), merged as (
      insert into daily_statistics (application_id, kind, day, platform, version, channel, stream_id, amount, is_merged)
      select application_id, kind, day, platform, version, channel, stream_id, sum(amount), true
      from taken group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
      on conflict (application_id, kind, day, platform, version, channel, stream_id) where is_merged
        do update set amount = daily_statistics.amount + excluded.amount
    )
    select count(*) as merged from taken`.execute(db)
  return rows[0]?.merged ?? 0
}

export async function countUnmergedStatistics(db: Executor): Promise<number> {
  const { unmerged } = await db
    .selectFrom('daily_statistics')
    .select((eb) => eb.fn.countAll<number>().as('unmerged'))
    .where('is_merged', '=', false)
    .executeTakeFirstOrThrow()
  return unmerged
}

/**
 * Deletes up to `limit` rows of days more than `days` days ago and returns the number of deleted rows. Their stored
 * bytes are added to the oldest day that remains, because later totals include them.
 */
export async function deleteSomeOldStatistics(db: Executor, days: number, limit: number): Promise<number> {
  const oldest = sql`(utc_day(now()) - ${days}::int)`
  const { rows } = await sql<{ deleted: number }>`
    with old as (
      delete from daily_statistics
      where id in (select id from daily_statistics where day < ${oldest} limit ${limit}) returning *
    ), kept as (
      insert into daily_statistics (application_id, kind, day, stream_id, amount)
      select application_id, kind, ${oldest}, stream_id, sum(amount)
      from old where kind = 'stored_bytes' and application_id in (select id from applications)
      group by application_id, kind, stream_id having sum(amount) <> 0
    )
    select count(*) as deleted from old`.execute(db)
  return rows[0]?.deleted ?? 0
}

/** Deletes the statistics that triggers recorded for imported builds, because an export contains all statistics. */
export async function deleteStatisticsOf(tx: Tx, applicationIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('daily_statistics')
    .where(sql<boolean>`application_id = any(${applicationIds})`)
    .execute()
}
