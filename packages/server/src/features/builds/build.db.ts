import { sql, type Insertable } from 'kysely'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { notFound } from '../../lib/problem.ts'
import { selectCustomTargetJson } from '../custom-targets/custom-target.db.ts'
import type { CustomTargetRow } from '../custom-targets/custom-target.ts'
import { selectLabelJson, type LabelRow } from '../labels/label.db.ts'
import {
  listMetadataArtifacts,
  listMetadataArtifactsOfBuilds,
} from '../metadata-artifacts/metadata-artifact.db.ts'
import { metadataArtifactResource } from '../metadata-artifacts/metadata-artifact.ts'
import { selectExpiry } from '../retention/retention.db.ts'
import { buildResource, type FullBuild } from './build.ts'
import { listFiles, listFilesOfBuilds } from './file.db.ts'
import { fileResource } from './file.ts'

const labelsOfBuild = sql<LabelRow[]>`coalesce((
  select json_agg(${selectLabelJson} order by lower(labels.name), labels.id)
  from build_labels join labels on labels.id = build_labels.label_id
  where build_labels.build_id = builds.id), '[]')`

const targetOfBuild = sql<CustomTargetRow | null>`(
  select ${selectCustomTargetJson} from custom_targets where custom_targets.id = builds.custom_target_id)`

/** Builds that are not in the trash, with all that a list shows of them, in one statement. */
export function selectBuilds(db: Executor) {
  return (
    db
      .selectFrom('builds')
      .innerJoin('streams as lies_in', 'lies_in.id', 'builds.stream_id')
      // the other one while it is on its way there: the stream it lies in was deleted
      .innerJoin('streams', (join) =>
        join.on(sql<boolean>`streams.id = coalesce(lies_in.moving_to, lies_in.id)`),
      )
      .where('builds.deleted_at', 'is', null)
      .selectAll('builds')
      .select([
        'streams.id as shown_stream_id',
        'streams.name as stream_name',
        'streams.description as stream_description',
        'streams.retention_days as stream_retention_days',
        'streams.created_at as stream_created_at',
        'streams.updated_at as stream_updated_at',
        labelsOfBuild.as('labels'),
        targetOfBuild.as('custom_target'),
        selectExpiry.as('expires_at'),
      ])
  )
}

export type BuildRow = Awaited<ReturnType<ReturnType<typeof selectBuilds>['executeTakeFirstOrThrow']>>

export async function requireBuild(db: Executor, applicationId: string, id: string): Promise<BuildRow> {
  const row = await selectBuilds(db)
    .where('builds.application_id', '=', applicationId)
    .where('builds.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** The build with its files and artifacts, as single reads, verify and events carry it. */
export async function requireFullBuild(
  db: Executor,
  applicationId: string,
  id: string,
  config: Config,
): Promise<FullBuild> {
  const row = await requireBuild(db, applicationId, id)
  const files = await listFiles(db, id)
  return fullBuild(row, files, await listMetadataArtifacts(db, id), config)
}

/** The builds of these ids that are not in the trash, in three statements however many they are. */
export async function listFullBuilds(db: Executor, ids: string[], config: Config): Promise<FullBuild[]> {
  const rows = await selectBuilds(db)
    .where(sql<boolean>`builds.id = any(${ids})`)
    .orderBy('builds.created_at')
    .orderBy('builds.id')
    .execute()
  const files = Map.groupBy(await listFilesOfBuilds(db, ids), ({ build_id }) => build_id)
  const artifacts = Map.groupBy(await listMetadataArtifactsOfBuilds(db, ids), ({ build_id }) => build_id)
  return rows.map((row) => fullBuild(row, files.get(row.id) ?? [], artifacts.get(row.id) ?? [], config))
}

function fullBuild(
  row: BuildRow,
  fileRows: Awaited<ReturnType<typeof listFiles>>,
  artifacts: Awaited<ReturnType<typeof listMetadataArtifacts>>,
  config: Config,
): FullBuild {
  const files = fileRows.map((file) => ({ role: file.role, resource: fileResource(file) }))
  const primary = files.find(({ role }) => role === 'primary')
  if (primary === undefined) throw new Error(`build ${row.id} has no primary file`)
  return {
    ...buildResource(row, config),
    application_id: row.application_id,
    workspace_id: row.workspace_id,
    primary_file: primary.resource,
    expansion_files: files.filter(({ role }) => role === 'expansion').map(({ resource }) => resource),
    metadata_artifacts: artifacts.map(metadataArtifactResource),
    ios_info: row.ios_info as FullBuild['ios_info'],
    android_info: row.android_info as FullBuild['android_info'],
  }
}

/** A build by its id alone, if the caller may see it. */
export async function findReachableBuild(db: Executor, actor: Actor, id: string) {
  let query = db
    .selectFrom('builds')
    .innerJoin('applications', 'applications.id', 'builds.application_id')
    .select(['builds.id', 'builds.application_id', 'builds.workspace_id'])
    .where('builds.id', '=', id)
    .where('builds.workspace_id', '=', actor.workspaceId)
    .where('builds.deleted_at', 'is', null)
    .where('applications.deleted_at', 'is', null)
  if (actor.applicationId !== null) query = query.where('builds.application_id', '=', actor.applicationId)
  return query.executeTakeFirst()
}

/** The `visible` step where nothing of a build is wanted but that it is there: one statement, and a light one. */
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

/** The build wherever it lies, for callers that have checked who may see it. */
export async function findBuildInTrashOrNot(db: Executor, id: string) {
  return db
    .selectFrom('builds')
    .select(['id', 'application_id', 'deleted_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertBuild(tx: Tx, build: Insertable<Database['builds']>): Promise<void> {
  await tx.insertInto('builds').values(build).execute()
}

export async function insertBuildLabels(
  tx: Tx,
  build: { id: string; applicationId: string; workspaceId: string },
  labels: { id: string }[],
): Promise<void> {
  if (labels.length === 0) return
  const rows = labels.map((label) => ({
    build_id: build.id,
    label_id: label.id,
    application_id: build.applicationId,
    workspace_id: build.workspaceId,
  }))
  await tx.insertInto('build_labels').values(rows).execute()
}

export async function updateBuildMetadataBytes(tx: Tx, id: string, addedBytes: number): Promise<void> {
  await tx
    .updateTable('builds')
    .set((eb) => ({ metadata_total_bytes: eb('metadata_total_bytes', '+', addedBytes) }))
    .where('id', '=', id)
    .execute()
}

/** How many builds, those in the trash and on their way to it too, and unfinished uploads refer to the stream. */
export async function findStreamHolds(db: Executor, streamId: string) {
  return db
    .selectNoFrom([
      sql<number>`(select count(*) from builds
        where stream_id in (select id from streams where id = ${streamId} or moving_to = ${streamId}))`.as(
        'builds',
      ),
      sql<number>`(select count(*) from pending_uploads where stream_id = ${streamId}
        and (state = 'verifying' or (state = 'requested' and expires_at > now())))`.as('uploads'),
    ])
    .executeTakeFirstOrThrow()
}

/** Moves so many builds of a stream, those in the trash too; answers which. */
export async function updateSomeBuildsOfStream(tx: Tx, from: string, to: string, most: number) {
  const some = tx.selectFrom('builds').select('id').where('stream_id', '=', from).limit(most)
  return tx
    .updateTable('builds')
    .set({ stream_id: to })
    .where('id', 'in', some)
    .returning(['id', 'deleted_at'])
    .execute()
}
