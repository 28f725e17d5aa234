import { sql } from 'kysely'
import { selectCommittedBefore } from '../../../database/commit-order.db.ts'
import type { Executor } from '../../../database/transaction.ts'
import { formatVersion, parseVersion, versionSortKey } from '../../../lib/semver.ts'
import type { PackageDetails } from '../adapters/adapter.ts'

/** The state of a channel that differs if anything that it publishes may have changed. */
export type ChannelState = {
  id: string
  application_id: string
  workspace_id: string
  application_name: string
  stream_id: string | null
  includes_prereleases: boolean
  formats: string[]
  access: string
  revision: number
  /** Changes of builds and releases from the position on. Positions only grow, so equal sums mean equal changes. */
  change_count: number
  change_sum: string
  /** The position from which to compare changes next time. */
  position: number
}

/**
 * Returns the state of a channel, with the changes from a position on; null counts none. Returns undefined if the channel
 * does not exist or its application is in the trash.
 */
export async function findChannelState(
  db: Executor,
  id: string,
  since: number | null,
): Promise<ChannelState | undefined> {
  const { rows } = await sql<ChannelState>`
    select channels.id, channels.application_id, channels.workspace_id, applications.name as application_name,
      channels.stream_id, channels.includes_prereleases, channels.formats, channels.access, channels.revision,
      changed.change_count, changed.change_sum, coalesce(latest.position, 0) as position
    from channels join applications on applications.id = channels.application_id and applications.deleted_at is null
    cross join lateral (
      select count(*) as change_count, coalesce(sum(position), 0)::text as change_sum from changes
      where owner_id = channels.application_id and position >= ${since}::bigint
    ) as changed
    left join lateral (
      select position from changes
      where owner_id = channels.application_id and position < ${selectCommittedBefore}
      order by position desc limit 1
    ) as latest on true
    where channels.id = ${id}`.execute(db)
  return rows[0]
}

export type PublishedRow = {
  id: string
  major: number
  minor: number
  patch: number
  extra: string | null
  meta: string | null
  sort_key: string
  /** Null for the builds of a stream. */
  release_id: string | null
  title: string | null
  notes: string | null
  published_at: string
  platform: string
  architectures: string[]
  build_number: string | null
  minimum_os: string | null
  processing: string
  package_format: string | null
  package_name: string | null
  package_version: string | null
  package_publisher: string | null
  package_dependencies: string[] | null
  bundle_id: string | null
}

const columnsOfBuild = sql`builds.id, builds.platform, builds.architectures,
  coalesce(builds.file_info ->> 'build_number', builds.build_number) as build_number,
  builds.file_info ->> 'minimum_os' as minimum_os, builds.processing,
  builds.file_info ->> 'format' as package_format, builds.file_info ->> 'name' as package_name,
  builds.file_info ->> 'version' as package_version, builds.file_info ->> 'publisher' as package_publisher,
  case when builds.file_info ->> 'format' in ('nupkg', 'pkg', 'dmg') then builds.file_info -> 'dependencies'
    end as package_dependencies,
  builds.ios_info ->> 'bundle_id' as bundle_id`

/** The number of builds that a channel publishes, newest versions first. */
const maxBuilds = 20_000

/** What a channel publishes. */
export type ChannelSource = Pick<ChannelState, 'application_id' | 'stream_id' | 'includes_prereleases'>

/** Lists the builds that a channel publishes, newest versions first: all of them, or those with a sort key. */
export const listPublishedRows = (
  db: Executor,
  source: ChannelSource,
  sortKey?: string,
): Promise<PublishedRow[]> =>
  source.stream_id === null
    ? listReleaseRows(db, source, sortKey)
    : listStreamRows(db, source.stream_id, sortKey)

/** Returns whether a channel publishes a build with this version. */
export async function publishesVersion(
  db: Executor,
  source: ChannelSource,
  version: string,
): Promise<boolean> {
  const parsed = parseVersion(version)
  const rows = parsed === undefined ? [] : await listPublishedRows(db, source, versionSortKey(parsed))
  return rows.some((row) => formatVersion(row) === version)
}

/** Lists the builds of a stream and of the streams whose builds are being moved to it. */
async function listStreamRows(
  db: Executor,
  streamId: string,
  sortKey: string | undefined,
): Promise<PublishedRow[]> {
  const { rows } = await sql<PublishedRow>`
    select ${columnsOfBuild}, builds.version_major as major, builds.version_minor as minor,
      builds.version_patch as patch, builds.version_extra as extra, builds.version_meta as meta,
      builds.version_sort as sort_key, null as release_id, null as title, builds.notes,
      builds.created_at as published_at
    from builds
    where builds.stream_id = any(array(
        select coalesce(moving_to, id) from streams where id = ${streamId}
        union select moving.id from streams join streams as moving
          on moving.moving_to = coalesce(streams.moving_to, streams.id) where streams.id = ${streamId}
        union select ${streamId}))
      and builds.deleted_at is null ${withSortKey('builds.version_sort', sortKey)}
    order by builds.version_sort desc, builds.created_at desc, builds.id limit ${maxBuilds}`.execute(db)
  return rows
}

const withSortKey = (column: string, sortKey: string | undefined) =>
  sortKey === undefined ? sql`` : sql`and ${sql.ref(column)} = ${sortKey}`

/** Lists the builds of the published releases of an application. */
async function listReleaseRows(
  db: Executor,
  { application_id, includes_prereleases }: ChannelSource,
  sortKey: string | undefined,
): Promise<PublishedRow[]> {
  const { rows } = await sql<PublishedRow>`
    select ${columnsOfBuild}, releases.version_major as major, releases.version_minor as minor,
      releases.version_patch as patch, releases.version_extra as extra, releases.version_meta as meta,
      releases.version_sort as sort_key, releases.id as release_id, releases.title, releases.notes,
      releases.published_at
    from releases join release_builds on release_builds.release_id = releases.id
    join builds on builds.id = release_builds.build_id
    where releases.application_id = ${application_id} and releases.status = 'published' and builds.deleted_at is null
      and (${includes_prereleases} or releases.version_extra is null)
      ${withSortKey('releases.version_sort', sortKey)}
    order by releases.version_sort desc, releases.published_at desc, releases.id, builds.created_at desc, builds.id
    limit ${maxBuilds}`.execute(db)
  return rows
}

export type FileRow = {
  id: string
  build_id: string
  kind: 'file' | 'artifact'
  filename: string
  size_bytes: number
  checksum_sha1: string | null
  checksum_sha256: string | null
  checksum_sha512: string | null
  object_key: string
  filetype: string | null
  created_at: string
}

/** Lists the files of builds, primary files first, then expansion files and metadata artifacts, without damaged ones. */
export async function listFileRows(db: Executor, buildIds: string[]): Promise<FileRow[]> {
  const { rows } = await sql<FileRow>`
    select id, build_id, 'file' as kind, filename, size_bytes, checksum_sha1, checksum_sha256, checksum_sha512,
      object_key, filetype, case role when 'primary' then 0 else 1 end as place, created_at
    from files where build_id = any(${buildIds}) and role <> 'universal_apk' and checksum_error is null
    union all
    select id, build_id, 'artifact', filename, size_bytes, checksum_sha1, checksum_sha256, checksum_sha512,
      object_key, null, 2, created_at
    from metadata_artifacts where build_id = any(${buildIds}) and checksum_error is null
    order by place, created_at desc, id`.execute(db)
  return rows
}

/** Lists what package managers need to know about builds, by the IDs of the builds. */
export async function listPackageDetails(
  db: Executor,
  builds: Iterable<{ id: string }>,
): Promise<Map<string, PackageDetails>> {
  const ids = Array.from(builds, ({ id }) => id)
  const rows = await db
    .selectFrom('builds')
    .leftJoin('package_details', 'package_details.build_id', 'builds.id')
    .select(['builds.id', 'deb_control', 'rpm_header', 'pacman_info', 'icon_object_key'])
    .select(
      sql`android_info || jsonb_build_object('architectures', coalesce(file_info -> 'architectures', '[]'))`.as(
        'android_info',
      ),
    )
    .where(sql<boolean>`builds.id = any(${ids}::text[])`)
    .execute()
  return new Map(
    rows.map(({ id, deb_control, rpm_header, pacman_info, android_info, icon_object_key }) => [
      id,
      {
        debControl: deb_control as PackageDetails['debControl'],
        rpmHeader: rpm_header as PackageDetails['rpmHeader'],
        pacmanInfo: pacman_info as PackageDetails['pacmanInfo'],
        androidInfo: android_info as PackageDetails['androidInfo'],
        iconKey: icon_object_key,
      },
    ]),
  )
}
