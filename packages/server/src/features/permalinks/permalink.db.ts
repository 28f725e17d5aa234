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
  { application_id, platform, architecture, isPublic = false }: Selection,
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
    where builds.application_id = ${application_id} and builds.platform = ${platform} and builds.deleted_at is null
      and ${architecture === undefined ? sql`true` : sql`builds.architectures @> ${[architecture]}::text[]`}
      and ${where}
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

/** Whether a public portal shows the row of `builds`, in its stream or in a published release. */
export const selectIsShownByPortal = sql<boolean>`exists (
  select from portal_applications as pa join portals on portals.id = pa.portal_id
  where pa.application_id = builds.application_id and portals.type = 'public' and (${showsStream} or exists (
    select from release_builds join releases on releases.id = release_builds.release_id
    where release_builds.build_id = builds.id and releases.status = 'published' and ${showsRelease})))`

/** Returns the newest build of a stream; throws 404 if there is none. */
export const requireBuildOfStream = (db: Db, selection: Selection, streamIds: readonly string[]) =>
  requireFirst(db, selection, {
    shown: showsStream,
    where: sql`builds.stream_id = any(${streamIds}::text[])`,
  })

/** The version of a release; `latest` is the highest version that has a build for the platform. */
export type WantedVersion = Version | 'latest'

/**
 * Returns the newest build of a published release; throws 404 if there is none. Of several releases with the same
 * precedence, prefers the one with the same build metadata, and then the newest.
 */
export const requireBuildOfRelease = (db: Db, selection: Selection, version: WantedVersion) =>
  requireFirst(db, selection, {
    joins: sql`join release_builds on release_builds.build_id = builds.id
      join releases on releases.id = release_builds.release_id`,
    shown: showsRelease,
    where: sql`releases.status = 'published'
      and ${version === 'latest' ? sql`true` : sql`releases.version_sort = ${versionSortKey(version)}`}`,
    orderBy: sql`releases.version_sort desc,
      releases.version_meta is not distinct from ${version === 'latest' ? null : version.meta}::text desc,
      releases.published_at desc,`,
  })
