import { sql, type Insertable } from 'kysely'
import { selectIsReachable } from '../../access/application.db.ts'
import type { Config } from '../../config/config.ts'
import { compileByShape, compiler, precompiled } from '../../database/compiled.ts'
import { isoTimestamp } from '../../database/expressions.ts'
import { completeJson, computed, jsonObject } from '../../database/json-text.ts'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import { selectDeletedBy } from '../../events/event.db.ts'
import { purgeTime } from '../../events/trash-state.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { keptBy, type Keepers } from '../../http/endpoint/kept-by.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import type { SealedObject } from '../../storage/driver.ts'
import { insertObjectSources } from '../../storage/objects/object-sources.db.ts'
import { insertManifests } from '../../storage/objects/stored-objects.db.ts'
import { listMetadataArtifactsOfBuilds } from './artifacts/metadata-artifact.db.ts'
import { metadataArtifactResource } from './artifacts/metadata-artifact.ts'
import { buildContents, buildFields, column } from './build-json.db.ts'
import { buildResource, fileInfoOf, FullBuild, ListedBuild } from './build.ts'
import { contentColumns, listFilesOfBuilds } from './files/file.db.ts'
import { fileResource, filesByRole } from './files/file.ts'

/** Whether a share link is usable: it is active, has not expired and has downloads left. */
export const selectIsShareLinkUsable = sql<boolean>`(share_links.is_active
  and (share_links.expires_at is null or share_links.expires_at > now())
  and (share_links.max_downloads is null or share_links.download_count < share_links.max_downloads))`

/** Whether a build is exempt from the retention period of its stream. */
export const selectIsKept = sql<boolean>`(builds.keep_forever
  or exists (select from release_builds where release_builds.build_id = builds.id)
  or exists (select from share_links
    where share_links.build_id = builds.id and ${selectIsShareLinkUsable}))`

/**
 * The time at which a build expires; null if it never expires or is already in the trash. Requires a join with
 * `streams`.
 */
const expiry = sql<string | null>`case
  when streams.retention_days is null or builds.deleted_at is not null or ${selectIsKept} then null
  else builds.created_at + make_interval(days => streams.retention_days) end`

/** Whether a build has expired. The condition is written so that it can use the index on (stream_id, created_at). */
export const selectIsExpired = sql<boolean>`(
  builds.created_at <= now() - make_interval(days => streams.retention_days) and not ${selectIsKept})`

// A build may belong to thousands of releases and have thousands of share links, so the response lists only the most
// recent of each.
const maxListed = 10

const releasesOf = sql`(
  select json_agg(json_build_object('id', r.id, 'title', r.title, 'version', json_build_object(
    'version_major', r.version_major, 'version_minor', r.version_minor, 'version_patch', r.version_patch,
    'version_extra', r.version_extra, 'version_meta', r.version_meta)) order by r.created_at desc, r.id)
  from (select releases.* from release_builds join releases on releases.id = release_builds.release_id
    where release_builds.build_id = builds.id order by releases.created_at desc, releases.id
    limit ${sql.lit(maxListed)}) as r)`

const shareLinksOf = sql`(
  select json_agg(json_build_object('id', l.id, 'expires_at', ${isoTimestamp(sql`l.expires_at`)},
    'max_downloads', l.max_downloads, 'download_count', l.download_count) order by l.created_at desc, l.id)
  from (select share_links.* from share_links where share_links.build_id = builds.id and ${selectIsShareLinkUsable}
    order by share_links.created_at desc, share_links.id limit ${sql.lit(maxListed)}) as l)`

/** The reasons why a row of `builds` is exempt from retention, as JSON. */
export const selectKeepersJson = sql<Keepers>`json_build_object('keep_forever', builds.keep_forever,
  'release_count', (select count(*) from release_builds where release_builds.build_id = builds.id),
  'releases', coalesce(${releasesOf}, '[]'),
  'share_link_count', (select count(*) from share_links
    where share_links.build_id = builds.id and ${selectIsShareLinkUsable}),
  'share_links', coalesce(${shareLinksOf}, '[]'))`

/** Returns the reasons why each build is exempt from retention, by build ID. */
export async function listKeepersOfBuilds(db: Executor, ids: string[]): Promise<Map<string, Keepers>> {
  const rows = await db
    .selectFrom('builds')
    .select(['id', selectKeepersJson.as('keepers')])
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
  return new Map(rows.map(({ id, keepers }) => [id, keepers]))
}

/** The JSON of a build with its stream, labels and custom target. Requires the join of `selectBuilds` with `streams`. */
export const buildJson = precompiled(
  jsonObject(
    ListedBuild,
    'builds',
    {
      ...buildFields,
      expires_at: expiry,
      deleted_by: selectDeletedBy('build'),
      purge_at: computed([column('deleted_at')], ([time], { trashDays }) => purgeTime(time ?? '', trashDays)),
    },
    sql<boolean>`builds.deleted_at is not null`,
  ).text,
)

/** Builds of a deleted stream are shown in the stream to which they are being moved. */
const isShownStream = sql<boolean>`streams.id = coalesce(stored_in.moving_to, stored_in.id)`

/** Joins builds with their streams. */
export const joinStreams = sql`join streams as stored_in on stored_in.id = builds.stream_id
  join streams on ${isShownStream}`

/** Selects builds that are not in the trash with their streams. */
const joinBuilds = (db: Executor) =>
  db
    .selectFrom('builds')
    .innerJoin('streams as stored_in', 'stored_in.id', 'builds.stream_id')
    .innerJoin('streams', (join) => join.on(isShownStream))
    .where('builds.deleted_at', 'is', null)

/** Selects builds that are not in the trash, with their JSON, which `completeJson` completes. */
export const selectBuilds = (db: Executor) =>
  joinBuilds(db)
    .selectAll('builds')
    .select(['streams.id as shown_stream_id', buildJson.as('resource')])

export type BuildRow = Awaited<ReturnType<ReturnType<typeof selectBuilds>['executeTakeFirstOrThrow']>>

export async function requireBuild(db: Executor, applicationId: string, id: string): Promise<BuildRow> {
  return selectBuilds(db)
    .where('builds.application_id', '=', applicationId)
    .where('builds.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/** Returns the builds with these IDs that are not in the trash, oldest first. */
export async function listBuildsByIds(db: Executor, ids: string[]): Promise<BuildRow[]> {
  return selectBuilds(db)
    .where(sql<boolean>`builds.id = any(${ids})`)
    .orderBy('builds.created_at')
    .orderBy('builds.id')
    .execute()
}

const fullBuildJson = jsonObject(FullBuild, 'builds', {
  ...buildFields,
  expires_at: expiry,
  ...buildContents,
  kept_by: computed([selectKeepersJson], ([keepers]) => keptBy(keepers)),
}).text

const listJson = compileByShape(
  () => '',
  (_: string[], parameter) =>
    joinBuilds(compiler)
      .innerJoin('files', (join) =>
        join.onRef('files.build_id', '=', 'builds.id').on('files.role', '=', sql.lit('primary')),
      )
      .select(fullBuildJson.as('json'))
      .where(sql<boolean>`builds.id = any(${parameter((ids: string[]) => ids)})`)
      .orderBy('builds.created_at')
      .orderBy('builds.id'),
)

/** Returns the full builds with these IDs that are not in the trash, oldest first. */
export async function listFullBuilds(db: Executor, ids: string[], config: Config): Promise<FullBuild[]> {
  const rows = await listJson(db, ids)
  return rows.map(({ json }) => {
    const build = JSON.parse(completeJson(json, config)) as FullBuild
    return { ...build, file_info: fileInfoOf(build) }
  })
}

/**
 * Returns the build with its files and artifacts, as included in single-build responses and events; throws 404 if it
 * does not exist or is in the trash.
 */
export async function requireFullBuild(
  db: Executor,
  applicationId: string,
  id: string,
  config: Config,
): Promise<FullBuild> {
  const [build] = await listFullBuilds(db, [id], config)
  if (build?.application_id !== applicationId) throw notFound()
  return build
}

/** Returns the builds with their files and artifacts. */
export async function listWithFiles(db: Executor, rows: BuildRow[], config: Config) {
  const ids = rows.map(({ id }) => id)
  const files = Map.groupBy(await listFilesOfBuilds(db, ids), ({ build_id }) => build_id)
  const artifacts = Map.groupBy(await listMetadataArtifactsOfBuilds(db, ids), ({ build_id }) => build_id)
  return rows.map((row) => {
    const { primary, expansions } = filesByRole(row.id, files.get(row.id) ?? [])
    return {
      ...buildResource(row, config),
      application_id: row.application_id,
      workspace_id: row.workspace_id,
      primary_file: fileResource(primary),
      expansion_files: expansions.map(fileResource),
      metadata_artifacts: (artifacts.get(row.id) ?? []).map(metadataArtifactResource),
      ios_info: row.ios_info as FullBuild['ios_info'],
      android_info: row.android_info as FullBuild['android_info'],
      file_info: fileInfoOf(row),
    }
  })
}

/** Finds a build in any application that the caller can access. */
export async function findReachableBuild(db: Executor, actor: Actor, id: string) {
  return db
    .selectFrom('builds')
    .innerJoin('applications', 'applications.id', 'builds.application_id')
    .select(['builds.id', 'builds.application_id', 'builds.workspace_id'])
    .where('builds.id', '=', id)
    .where('builds.workspace_id', '=', actor.workspaceId)
    .where('builds.deleted_at', 'is', null)
    .where('applications.deleted_at', 'is', null)
    .where(selectIsReachable(actor, 'builds.application_id'))
    .executeTakeFirst()
}

/**
 * Loads only the IDs of the build that the path identifies, which is cheaper than `requireBuild`; throws 404 if it does
 * not exist.
 */
export async function requireBuildOfPath(call: {
  db: Db
  actor: Actor
  params: { application_id: string; build_id: string }
}) {
  const { application_id, build_id } = call.params
  const build = await findReachableBuild(call.db, call.actor, build_id)
  if (build?.application_id !== application_id) throw notFound()
  return { build }
}

/** Finds any build of the service, including those in the trash. */
export async function findAnyBuild(db: Executor) {
  return db.selectFrom('builds').select('id').limit(1).executeTakeFirst()
}

/** Finds the build even if it is in the trash. The caller must check access. */
export async function findBuildIncludingTrashed(db: Executor, id: string) {
  return db
    .selectFrom('builds')
    .select(['id', 'application_id', 'deleted_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

type NewFile = { role: string; filename: string; filetype: string; object: SealedObject }

/** Inserts a build with its files. Returns the IDs of the files whose checksums are unknown. */
export async function insertBuild(
  tx: Tx,
  build: Insertable<Database['builds']>,
  newFiles: NewFile[],
): Promise<string[]> {
  const { id: build_id, application_id: applicationId } = build
  const objects = newFiles.map(({ object }) => object)
  const files = newFiles.map(({ object, ...file }) => ({
    id: uuidV7(),
    build_id,
    ...file,
    ...contentColumns(object),
  }))
  await tx
    .with('object', (cte) => insertManifests(cte, objects, { applicationId }))
    .with('build', (cte) => cte.insertInto('builds').values(build))
    .insertInto('files')
    .values(files)
    .execute()
  for (const object of objects) await insertObjectSources(tx, object)
  return files.flatMap(({ id, checksum_md5: md5, checksum_sha256: sha256 }) =>
    md5 === null || sha256 === null ? id : [],
  )
}

export async function addBuildMetadataBytes(tx: Tx, id: string, addedBytes: number): Promise<void> {
  await tx
    .updateTable('builds')
    .set((eb) => ({ metadata_total_bytes: eb('metadata_total_bytes', '+', addedBytes) }))
    .where('id', '=', id)
    .execute()
}
