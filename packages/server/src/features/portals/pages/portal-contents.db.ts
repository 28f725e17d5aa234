import { sql, type RawBuilder } from 'kysely'
import { containsPattern, nameOrder } from '../../../database/expressions.ts'
import type { Executor } from '../../../database/transaction.ts'
import type { ListPosition } from '../../../http/endpoint/cursor.ts'
import type { VersionColumns } from '../../../http/endpoint/version-parts.ts'
import { publishedAt, selectShownReleases } from '../portal-release.db.ts'

/** A file that a list offers: the primary file of a build, or the APK for every device made from it. */
export type ListedFile = {
  build_id: string
  platform: string
  architectures: string[]
  file_id: string
  role: 'primary' | 'universal_apk'
  filename: string
  filetype: string
  size_bytes: number
}

const fileJson = sql`json_build_object('build_id', builds.id, 'platform', builds.platform,
  'architectures', builds.architectures, 'file_id', files.id, 'role', files.role, 'filename', files.filename, 'filetype', files.filetype,
  'size_bytes', files.size_bytes)`
const listedRoles = sql`files.role in ('primary', 'universal_apk')`

const filesOfRelease = sql<ListedFile[]>`coalesce((
  select json_agg(${fileJson} order by builds.platform, builds.created_at desc, builds.id, files.role)
  from release_builds join builds on builds.id = release_builds.build_id
    join files on files.build_id = builds.id and ${listedRoles}
  where release_builds.release_id = releases.id and builds.deleted_at is null), '[]')`

const versionText = sql<string>`concat(releases.version_major, '.', releases.version_minor, '.', releases.version_patch,
  '-' || releases.version_extra, '+' || releases.version_meta)`

type Contents = {
  applicationId?: string | undefined
  platforms?: readonly string[] | undefined
  search?: string | undefined
  after?: ListPosition | undefined
  limit: number
}

function selectReleasesOfPortal(db: Executor, portalId: string) {
  return selectShownReleases(db, portalId).select([
    'releases.id',
    'releases.application_id',
    'releases.title',
    'releases.notes',
    'releases.version_major as major',
    'releases.version_minor as minor',
    'releases.version_patch as patch',
    'releases.version_extra as extra',
    'releases.version_meta as meta',
    'releases.updated_at',
    'applications.name as application_name',
    'applications.icon_object_key',
    publishedAt.as('published_at'),
    filesOfRelease.as('files'),
  ])
}

export type ReleaseOfPortal = Awaited<ReturnType<typeof listReleasesOfPortal>>[number]

/** Lists the releases that a portal shows, newest first. */
export async function listReleasesOfPortal(db: Executor, portalId: string, contents: Contents) {
  const { applicationId, platforms, search, after, limit } = contents
  return selectReleasesOfPortal(db, portalId)
    .$if(applicationId !== undefined, (query) =>
      query.where('releases.application_id', '=', applicationId ?? ''),
    )
    .$if(platforms !== undefined, (query) =>
      query.where(sql<boolean>`exists (select from release_builds join builds on builds.id = release_builds.build_id
        where release_builds.release_id = releases.id and builds.deleted_at is null
          and builds.platform = any(${platforms}::text[]))`),
    )
    .$if(search !== undefined, (query) => query.where(matches(search ?? '')))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(${publishedAt}, releases.id) < (${after?.time}::timestamptz, ${after?.id}::text)`,
      ),
    )
    .orderBy(publishedAt, 'desc')
    .orderBy('releases.id', 'desc')
    .limit(limit)
    .execute()
}

function matches(search: string): RawBuilder<boolean> {
  const pattern = containsPattern(search)
  return sql<boolean>`(releases.title ilike ${pattern} or releases.notes ilike ${pattern}
    or applications.name ilike ${pattern} or ${versionText} ilike ${containsPattern(search.replace(/^v(?=\d)/i, ''))})`
}

/** Returns a release if a portal shows it. */
export async function findReleaseOfPortal(db: Executor, portalId: string, releaseId: string) {
  return selectReleasesOfPortal(db, portalId).where('releases.id', '=', releaseId).executeTakeFirst()
}

/** Selects the streams that a portal shows, without those whose builds are being moved to another stream. */
const selectShownStreams = (db: Executor, portalId: string) =>
  db
    .selectFrom('portal_applications as pa')
    .innerJoin('applications', 'applications.id', 'pa.application_id')
    .innerJoin('streams', 'streams.application_id', 'pa.application_id')
    .where('pa.portal_id', '=', portalId)
    .where('applications.deleted_at', 'is', null)
    .where('streams.moving_to', 'is', null)
    .where(sql<boolean>`(pa.streams_mode = 'all' or pa.streams_mode = 'selective' and exists (
      select from portal_streams where portal_streams.portal_id = pa.portal_id
        and portal_streams.stream_id = streams.id))`)
    .select([
      'streams.id',
      'streams.name',
      'streams.description',
      'streams.application_id',
      'applications.name as application_name',
      'applications.icon_object_key',
    ])

type LatestBuild = VersionColumns & {
  build_number: string | null
  created_at: string
  files: ListedFile[]
}

const latestBuild = (source: RawBuilder<unknown>) => sql`(
  select json_build_object('version_major', builds.version_major, 'version_minor', builds.version_minor,
    'version_patch', builds.version_patch, 'version_extra', builds.version_extra,
    'version_meta', builds.version_meta, 'build_number', builds.build_number, 'created_at', builds.created_at,
    'files', (select json_agg(${fileJson} order by files.role) from files
      where files.build_id = builds.id and ${listedRoles}))
  from builds where ${source}
  order by builds.created_at desc, builds.id desc limit 1)`

/** Lists the streams that a portal shows and that have builds, each with its latest build, preferably for `preferred` platforms. */
export async function listStreamsOfPortal(
  db: Executor,
  portalId: string,
  {
    applicationId,
    platforms,
    search,
    preferred,
    offset,
    limit,
  }: Omit<Contents, 'after'> & { preferred: readonly string[]; offset: number },
) {
  const forPlatforms = (slugs: readonly string[]) => sql`builds.id = any(array(
    select latest_build_id(streams.id, platform, null) from unnest(${slugs}::text[]) as platform))`
  const forAny = sql`builds.stream_id = streams.id and builds.deleted_at is null`
  const shown = platforms === undefined ? forAny : forPlatforms(platforms)
  const latest =
    platforms === undefined
      ? sql<LatestBuild | null>`coalesce(${latestBuild(forPlatforms(preferred))}, ${latestBuild(forAny)})`
      : sql<LatestBuild | null>`${latestBuild(forPlatforms(platforms))}`
  const rows = await selectShownStreams(db, portalId)
    .$if(applicationId !== undefined, (query) =>
      query.where('streams.application_id', '=', applicationId ?? ''),
    )
    .$if(search !== undefined, (query) => {
      const pattern = containsPattern(search ?? '')
      return query.where(sql<boolean>`(streams.name ilike ${pattern} or applications.name ilike ${pattern})`)
    })
    // Before the limit, so that streams without builds do not take the places of others.
    .where(sql<boolean>`exists (select from builds where ${shown})`)
    .select(latest.as('latest'))
    .orderBy(nameOrder('applications.name'))
    .orderBy('applications.id')
    .orderBy(nameOrder('streams.name'))
    .orderBy('streams.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.flatMap(({ latest: build, ...stream }) =>
    build === null ? [] : [{ ...stream, latest: build }],
  )
}

export type StreamOfPortal = Awaited<ReturnType<typeof listStreamsOfPortal>>[number]

/** Returns a stream if a portal shows it. */
export async function findStreamOfPortal(db: Executor, portalId: string, streamId: string) {
  return selectShownStreams(db, portalId).where('streams.id', '=', streamId).executeTakeFirst()
}

/** Lists the IDs of the builds in a stream, newest first, with the time at which each was created. */
export async function listBuildIdsOfStream(
  db: Executor,
  streamId: string,
  { platforms, after, limit }: Pick<Contents, 'platforms' | 'after' | 'limit'>,
) {
  return db
    .selectFrom('builds')
    .select(['id', 'created_at'])
    .where('stream_id', '=', streamId)
    .where('deleted_at', 'is', null)
    .$if(platforms !== undefined, (query) => query.where(sql<boolean>`platform = any(${platforms}::text[])`))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.time}::timestamptz, ${after?.id}::text)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns whether a stream that a portal shows contains a build. */
export async function isBuildInPortalStream(
  db: Executor,
  { portalId, streamId, buildId }: { portalId: string; streamId: string; buildId: string },
): Promise<boolean> {
  const row = await selectShownStreams(db, portalId)
    .innerJoin('builds', 'builds.stream_id', 'streams.id')
    .where('streams.id', '=', streamId)
    .where('builds.id', '=', buildId)
    .where('builds.deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether a portal shows a build, in a stream or in a release. */
export async function isBuildInPortal(db: Executor, portalId: string, buildId: string): Promise<boolean> {
  const streams = selectShownStreams(db, portalId).clearSelect().select('streams.id')
  const releases = selectShownReleases(db, portalId).select('releases.id')
  const row = await db
    .selectFrom('builds')
    .select('builds.id')
    .where('builds.id', '=', buildId)
    .where('builds.deleted_at', 'is', null)
    .where(sql<boolean>`(builds.stream_id in (${streams}) or exists (
      select from release_builds where release_builds.build_id = builds.id
        and release_builds.release_id in (${releases})))`)
    .executeTakeFirst()
  return row !== undefined
}

/** Lists the applications of a portal and the platforms of the builds that it can show, for its filters. */
export async function listFiltersOfPortal(db: Executor, portalId: string) {
  return db
    .selectFrom('portal_applications as pa')
    .innerJoin('applications', 'applications.id', 'pa.application_id')
    .where('pa.portal_id', '=', portalId)
    .where('applications.deleted_at', 'is', null)
    .where(sql<boolean>`(pa.streams_mode <> 'none' or pa.releases_mode <> 'none')`)
    .select([
      'applications.id',
      'applications.name',
      sql<string[]>`array(select platform from application_platforms
        where application_platforms.application_id = applications.id)`.as('platforms'),
      sql<boolean>`pa.streams_mode <> 'none'`.as('has_streams'),
      sql<boolean>`pa.releases_mode <> 'none'`.as('has_releases'),
    ])
    .orderBy(nameOrder('applications.name'))
    .orderBy('applications.id')
    .limit(100)
    .execute()
}

export type FilterOfPortal = Awaited<ReturnType<typeof listFiltersOfPortal>>[number]
