import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'
import { versionSortKey, type Version } from '../../lib/semver.ts'

/** What a permalink leads to. */
export type Selection = {
  application_id: string
  platform: string
  architecture: string | undefined
  /** Whether only builds are selected that a public portal shows. */
  isPublic?: boolean
}

/** A build, and the public portal that shows it; null if it was selected for a caller with access to the application. */
export type SelectedBuild = {
  id: string
  application_id: string
  workspace_id: string
  portal_id: string | null
}

type Query = {
  joins?: RawBuilder<unknown>
  /** What the portal application `pa` must show. */
  shown: RawBuilder<unknown>
  where: RawBuilder<unknown>
  /** What comes before the time of the upload, ending with a comma. */
  orderBy?: RawBuilder<unknown>
}

async function requireFirst(
  db: Db,
  { isPublic = false }: Selection,
  { joins = sql``, shown, where, orderBy = sql`` }: Query,
): Promise<SelectedBuild> {
  const joinPortal = sql`join lateral (
      select portals.id from portal_applications as pa join portals on portals.id = pa.portal_id
      where pa.application_id = builds.application_id and portals.type = 'public' and ${shown}
      order by portals.created_at, portals.id limit 1) as portal on true
    join applications on applications.id = builds.application_id and applications.deleted_at is null`
  const { rows } = await sql<SelectedBuild>`
    select builds.id, builds.application_id, builds.workspace_id,
      ${isPublic ? sql`portal.id` : sql`null`} as portal_id
    from builds ${joins} ${isPublic ? joinPortal : sql``}
    where ${where}
    order by ${orderBy} builds.created_at desc, builds.id desc limit 1`.execute(db)
  const [build] = rows
  if (build === undefined) throw notFound()
  return build
}

/** Whether the portal application `pa` shows the stream of the row of `builds`. */
const showsStream = sql<boolean>`(pa.streams_mode = 'all' or pa.streams_mode = 'selective' and exists (
  select from portal_streams where portal_streams.portal_id = pa.portal_id
    and portal_streams.stream_id = builds.stream_id))`

/** Whether the portal application `pa` shows the row of `releases`. */
const showsRelease = sql<boolean>`(pa.releases_mode = 'all' or pa.releases_mode = 'selective' and exists (
  select from portal_releases where portal_releases.portal_id = pa.portal_id
    and portal_releases.release_id = releases.id))`

/** Whether a public portal shows the row of `releases`. */
const isReleasePublic = sql<boolean>`exists (
  select from portal_applications as pa join portals on portals.id = pa.portal_id
  where pa.application_id = releases.application_id and portals.type = 'public' and ${showsRelease})`

/** Whether a public portal shows the row of `builds`, in its stream or in a published release. */
export const selectIsShownByPortal = sql<boolean>`exists (
  select from portal_applications as pa join portals on portals.id = pa.portal_id
  where pa.application_id = builds.application_id and portals.type = 'public' and (${showsStream} or exists (
    select from release_builds join releases on releases.id = release_builds.release_id
    where release_builds.build_id = builds.id and releases.status = 'published' and ${showsRelease})))`

/** Returns the newest build of streams of the application; throws 404 if there is none. */
export const requireBuildOfStream = (db: Db, selection: Selection, streamIds: readonly string[]) =>
  requireFirst(db, selection, {
    shown: showsStream,
    where: sql`builds.id = any(array(
      select latest_build_id(stream_id, ${selection.platform}, ${selection.architecture ?? null}::text)
      from unnest(${streamIds}::text[]) as stream_id))`,
  })

const fewBuilds = 200

/** The version of a release; `latest` is the highest version that has a build for the platform. */
export type WantedVersion = Version | 'latest'

/**
 * Selects the builds for a platform and an architecture. A stream has few distinct sets of architectures, so these are
 * found first, as in `latest_build_id`, instead of reading all builds for the platform.
 */
const suitableBuilds = ({ application_id, platform, architecture }: Selection) =>
  architecture === undefined
    ? sql`select id from builds
        where application_id = ${application_id} and platform = ${platform} and deleted_at is null`
    : sql`select builds.id from streams cross join lateral (
          with recursive variants (architectures) as (
            (select architectures from builds
              where stream_id = streams.id and platform = ${platform} and deleted_at is null
              order by architectures limit 1)
            union all
            select (select builds.architectures from builds
              where stream_id = streams.id and platform = ${platform} and deleted_at is null
                and builds.architectures > variants.architectures
              order by architectures limit 1)
            from variants where variants.architectures is not null)
          select architectures from variants where architectures @> ${[architecture]}::text[]) as variants
        cross join lateral (select id from builds
          where stream_id = streams.id and platform = ${platform} and deleted_at is null
            and builds.architectures = variants.architectures limit ${fewBuilds + 1}) as builds
        where streams.application_id = ${application_id}`

/**
 * Returns the newest build of a published release; throws 404 if there is none. Of several releases with the same
 * precedence, prefers the one with the same build metadata, and then the newest.
 */
export function requireBuildOfRelease(db: Db, selection: Selection, version: WantedVersion) {
  const { application_id, platform, architecture, isPublic = false } = selection
  const isPublished = sql`releases.application_id = ${application_id} and releases.status = 'published'`
  const isSuitable = sql`builds.platform = ${platform} and builds.deleted_at is null
    and ${architecture === undefined ? sql`true` : sql`builds.architectures @> ${[architecture]}::text[]`}`
  const isShown = sql`${isPublished} and ${isPublic ? isReleasePublic : sql`true`}`
  const suitable = suitableBuilds(selection)
  // Few suitable builds are looked up in the releases. Otherwise, releases are read from the highest version until one has
  // such a build; `offset 0` prevents the planner from reading all builds for the platform instead.
  const latest = sql`case when (select count(*) from (${suitable} limit ${fewBuilds + 1}) as few) <= ${fewBuilds} then (
    select releases.version_sort from (${suitable} limit ${fewBuilds}) as builds
      join release_builds on release_builds.build_id = builds.id
      join releases on releases.id = release_builds.release_id
    where ${isShown} order by releases.version_sort desc limit 1)
  else (
    select releases.version_sort from releases cross join lateral (
      select from release_builds cross join lateral (
        select platform, architectures, deleted_at from builds
        where builds.id = release_builds.build_id offset 0) as builds
      where release_builds.release_id = releases.id and ${isSuitable} limit 1) as suitable
    where ${isShown} order by releases.version_sort desc limit 1) end`
  return requireFirst(db, selection, {
    joins: sql`join release_builds on release_builds.build_id = builds.id
      join releases on releases.id = release_builds.release_id`,
    shown: showsRelease,
    where: sql`${isSuitable} and ${isPublished}
      and releases.version_sort = ${version === 'latest' ? latest : sql`${versionSortKey(version)}`}`,
    orderBy: sql`releases.version_meta is not distinct from ${version === 'latest' ? null : version.meta}::text desc,
      releases.published_at desc,`,
  })
}
