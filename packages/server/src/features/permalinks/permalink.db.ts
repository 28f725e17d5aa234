import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/transaction.ts'
import { versionSortKey, type Version } from '../../lib/semver.ts'

export type Selection = {
  applicationId: string
  platform: string
  architecture: string | undefined
}

/** A build, and the public portal that shows it; null if it was selected for a caller with access to the application. */
export type SelectedBuild = {
  id: string
  application_id: string
  workspace_id: string
  portal_id: string | null
}

const columns = sql.raw('builds.id, builds.application_id, builds.workspace_id')

const selects = ({ applicationId, platform, architecture }: Selection): RawBuilder<unknown> => sql`
  builds.application_id = ${applicationId} and builds.platform = ${platform} and builds.deleted_at is null
  and ${architecture === undefined ? sql`true` : sql`builds.architectures @> ${[architecture]}::text[]`}`

/** Joins a public portal that shows what the condition allows, if the caller needs one. */
const inPublicPortal = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  join lateral (
    select portals.id from portal_applications as pa join portals on portals.id = pa.portal_id
    where pa.application_id = builds.application_id and portals.type = 'public' and ${condition}
    order by portals.created_at, portals.id limit 1) as portal on true
  join applications on applications.id = builds.application_id and applications.deleted_at is null`

async function findFirst(db: Db, query: RawBuilder<unknown>): Promise<SelectedBuild | undefined> {
  return (await sql<SelectedBuild>`${query}`.execute(db)).rows[0]
}

/** Finds the newest build of a stream. */
export const findLatestBuild = (db: Db, selection: Selection, streamIds: readonly string[]) =>
  findFirst(
    db,
    sql`select ${columns}, null as portal_id from builds
    where ${selects(selection)} and builds.stream_id = any(${streamIds}::text[])
    order by builds.created_at desc, builds.id desc limit 1`,
  )

/** Finds the newest build of a stream that a public portal shows. */
export const findLatestPublicBuild = (db: Db, selection: Selection, stream: string) =>
  findFirst(
    db,
    sql`select ${columns}, portal.id as portal_id from builds
    ${inPublicPortal(sql`(pa.streams_mode = 'all' or pa.streams_mode = 'selective' and exists (
      select from portal_streams where portal_streams.portal_id = pa.portal_id
        and portal_streams.stream_id = builds.stream_id))`)}
    where ${selects(selection)} and builds.stream_id = (
      select id from streams where application_id = ${selection.applicationId} and moving_to is null
        and (id = ${stream} or lower(name) = lower(${stream})) order by (id = ${stream}) desc limit 1)
    order by builds.created_at desc, builds.id desc limit 1`,
  )

/** The version of a release; `latest` is the highest version that has a build for the platform. */
export type WantedVersion = Version | 'latest'

const ofPublishedRelease = (selection: Selection, version: WantedVersion): RawBuilder<unknown> => sql`
  ${selects(selection)} and releases.status = 'published'
  and ${version === 'latest' ? sql`true` : sql`releases.version_sort = ${versionSortKey(version)}`}`

/** Of several releases with the same precedence, prefers the one with the same build metadata, and then the newest. */
const byVersion = (version: WantedVersion): RawBuilder<unknown> => sql`
  order by releases.version_sort desc,
    releases.version_meta is not distinct from ${version === 'latest' ? null : version.meta}::text desc,
    releases.published_at desc, builds.created_at desc, builds.id desc limit 1`

const joinReleases = sql`join release_builds on release_builds.build_id = builds.id
  join releases on releases.id = release_builds.release_id`

/** Finds a build of a published release. */
export const findReleaseBuild = (db: Db, selection: Selection, version: WantedVersion) =>
  findFirst(
    db,
    sql`select ${columns}, null as portal_id from builds ${joinReleases}
    where ${ofPublishedRelease(selection, version)} ${byVersion(version)}`,
  )

/** Finds a build of a published release that a public portal shows. */
export const findPublicReleaseBuild = (db: Db, selection: Selection, version: WantedVersion) =>
  findFirst(
    db,
    sql`select ${columns}, portal.id as portal_id from builds ${joinReleases}
    ${inPublicPortal(sql`(pa.releases_mode = 'all' or pa.releases_mode = 'selective' and exists (
      select from portal_releases where portal_releases.portal_id = pa.portal_id
        and portal_releases.release_id = releases.id))`)}
    where ${ofPublishedRelease(selection, version)} ${byVersion(version)}`,
  )
