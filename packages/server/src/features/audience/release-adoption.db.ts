import { sql } from 'kysely'
import type { Executor } from '../../database/transaction.ts'
import type { VersionColumns } from '../../http/endpoint/version-parts.ts'
import { versionOf } from '../../http/endpoint/version-parts.ts'
import { formatVersion } from '../../lib/semver.ts'
import { channelsOfPeople } from '../builds/files/download.ts'
import type { ReleaseRow } from '../releases/release.db.ts'

export type PublishedRelease = VersionColumns & { id: string; application_id: string; published_at: string }

/** Returns the release for a platform of this one that was published last before it. */
export async function findPreviousRelease(
  db: Executor,
  release: Pick<ReleaseRow, 'id' | 'application_id' | 'published_at'>,
): Promise<PublishedRelease | undefined> {
  return db
    .selectFrom('releases')
    .select(['id', 'application_id', 'version_major', 'version_minor', 'version_patch'])
    .select(['version_extra', 'version_meta'])
    .select(sql<string>`published_at`.as('published_at'))
    .where('application_id', '=', release.application_id)
    .where('status', '=', 'published')
    .where('id', '<>', release.id)
    .where(sql<boolean>`published_at < coalesce(${release.published_at}::timestamptz, now())`)
    .where(
      sql<boolean>`exists (
        select from release_builds join builds on builds.id = release_builds.build_id
        where release_builds.release_id = releases.id and builds.deleted_at is null and builds.platform in (
          select platform from release_builds join builds on builds.id = release_builds.build_id
          where release_builds.release_id = ${release.id} and builds.deleted_at is null))`,
    )
    .orderBy('published_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** What happened to a release on a day. Day 0 is the day of its publication, in UTC. */
export type AdoptionDay = {
  release_id: string
  day: number
  downloads: number
  installs: number
  checks: number
}

/**
 * Lists the downloads and installs of the builds of each release, and the checks for updates by clients that have its
 * version, on each of the `days` days from its publication on. Days without any are left out.
 */
export async function listAdoptionDays(
  db: Executor,
  releases: readonly PublishedRelease[],
  days: number,
): Promise<AdoptionDay[]> {
  const shown = releases.map(({ id, application_id, published_at, ...columns }) => ({
    id,
    application_id,
    published_at,
    version: formatVersion(versionOf(columns)),
  }))
  const { rows } = await sql<AdoptionDay>`
    with shown as (
      select id, application_id, version, published_at, utc_day(published_at) as first_day
      from jsonb_to_recordset(${JSON.stringify(shown)}::jsonb)
        as given(id text, application_id text, version text, published_at timestamptz)
    ), counted as (
      select shown.id, utc_day(downloads.created_at) - first_day as day, count(*) as downloads,
        count(*) filter (where is_install) as installs, 0 as checks
      from shown join release_builds on release_builds.release_id = shown.id
      join downloads on downloads.build_id = release_builds.build_id and downloads.created_at >= published_at
        and downloads.created_at < (first_day + ${days}::int)::timestamp at time zone 'UTC'
      where metadata_artifact_id is null
      group by 1, 2
      union all
      select shown.id, channel_requests.day - first_day, 0, 0, sum(documents + no_updates + unchanged)
      from shown join channels on channels.application_id = shown.application_id
      join channel_requests on channel_id = channels.id and channel_requests.version = shown.version
        and channel_requests.day >= first_day and channel_requests.day < first_day + ${days}::int
      group by 1, 2
    )
    select id as release_id, day, sum(downloads)::bigint as downloads, sum(installs)::bigint as installs,
      sum(checks)::bigint as checks
    from counted group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

export type AdoptionShares = {
  tester_count: number
  testers_on_release: number
  check_count: number
  checks_on_release: number
}

/**
 * Counts the people who downloaded builds of the application within the last `days` days, and those of them whose latest
 * download is of this release; likewise the checks for updates, and those by clients that have its version. A member who
 * uses the console and a personal link is one person.
 */
export async function countShares(
  db: Executor,
  release: VersionColumns & { id: string; application_id: string },
  days: number,
): Promise<AdoptionShares> {
  const { rows } = await sql<AdoptionShares>`
    with latest as (
      select distinct on (person) coalesce(lower(downloads.email), lower(users.email), user_id) as person, build_id
      from downloads left join users on users.id = downloads.user_id
      where application_id = ${release.application_id} and channel = any(${channelsOfPeople})
        and downloads.created_at > now() - make_interval(days => ${days}::int) and metadata_artifact_id is null
        and (downloads.email is not null or user_id is not null)
      order by person, downloads.created_at desc
    ), checked as (
      select version, documents + no_updates + unchanged as checks
      from channel_requests join channels on channels.id = channel_id
      where channels.application_id = ${release.application_id} and day > utc_day(now()) - ${days}::int
    )
    select (select count(*) from latest) as tester_count,
      (select count(*) from latest where build_id in (
        select build_id from release_builds where release_id = ${release.id})) as testers_on_release,
      (select coalesce(sum(checks), 0)::bigint from checked) as check_count,
      (select coalesce(sum(checks), 0)::bigint from checked
        where version = ${formatVersion(versionOf(release))}) as checks_on_release`.execute(db)
  return rows[0] ?? { tester_count: 0, testers_on_release: 0, check_count: 0, checks_on_release: 0 }
}
