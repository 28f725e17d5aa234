import { sql, type Insertable, type Updateable } from 'kysely'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/tables.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import { notFound } from '../../lib/problem.ts'
import { selectBuilds } from '../builds/build.db.ts'
import { selectLabelJson, type LabelRow } from '../labels/label.db.ts'
import { fullReleaseResource, type FullRelease } from './release.ts'

const labelsOfRelease = sql<LabelRow[]>`coalesce((
  select json_agg(${selectLabelJson} order by lower(labels.name), labels.id)
  from release_labels join labels on labels.id = release_labels.label_id
  where release_labels.release_id = releases.id), '[]')`

const buildCount = sql<number>`(
  select count(*) from release_builds join builds on builds.id = release_builds.build_id
  where release_builds.release_id = releases.id and builds.deleted_at is null)`

/** Releases with all that a list shows of them, in one statement. */
export function selectReleases(db: Executor) {
  return db
    .selectFrom('releases')
    .selectAll('releases')
    .select([labelsOfRelease.as('labels'), buildCount.as('build_count')])
}

export type ReleaseRow = Awaited<ReturnType<ReturnType<typeof selectReleases>['executeTakeFirstOrThrow']>>

export async function requireRelease(db: Executor, applicationId: string, id: string): Promise<ReleaseRow> {
  const row = await selectReleases(db)
    .where('releases.application_id', '=', applicationId)
    .where('releases.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** A release of the workspace whose application is not in the trash. */
export async function requireReleaseOfWorkspace(db: Executor, workspaceId: string, id: string) {
  const row = await db
    .selectFrom('releases')
    .innerJoin('applications', 'applications.id', 'releases.application_id')
    .select([
      'releases.id',
      'releases.application_id',
      'releases.title',
      'releases.version_major',
      'releases.version_minor',
      'releases.version_patch',
      'releases.version_extra',
      'releases.version_meta',
      'applications.name as application_name',
    ])
    .where('releases.id', '=', id)
    .where('releases.workspace_id', '=', workspaceId)
    .where('applications.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** Builds of a release that are not in the trash, newest first. */
export async function listBuildsOfRelease(db: Executor, releaseId: string) {
  return selectBuilds(db)
    .innerJoin('release_builds', 'release_builds.build_id', 'builds.id')
    .where('release_builds.release_id', '=', releaseId)
    .orderBy('builds.created_at', 'desc')
    .orderBy('builds.id')
    .execute()
}

/** The release with its notes and builds, as single reads and events carry it. */
export async function requireFullRelease(
  db: Executor,
  applicationId: string,
  id: string,
  config: Config,
): Promise<FullRelease> {
  const row = await requireRelease(db, applicationId, id)
  return fullReleaseResource(row, await listBuildsOfRelease(db, id), config)
}

/** Holds the release until the end of the transaction. */
export async function requireLockedRelease(tx: Tx, applicationId: string, id: string): Promise<ReleaseRow> {
  const held = await tx
    .selectFrom('releases')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (held === undefined) throw notFound()
  return requireRelease(tx, applicationId, id)
}

export async function insertRelease(tx: Tx, release: Insertable<Database['releases']>): Promise<void> {
  await tx.insertInto('releases').values(release).execute()
}

export async function updateRelease(
  tx: Tx,
  id: string,
  columns: Updateable<Database['releases']>,
): Promise<void> {
  // set to itself, so that updated_at tells of changed builds and labels too
  await tx
    .updateTable('releases')
    .set((eb) => ({ title: eb.ref('title'), ...columns }))
    .where('id', '=', id)
    .execute()
}

export async function deleteReleaseRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('releases').where('id', '=', id).execute()
}

/** Releases of an application that goes, with all that refers to them; answers how many went. */
export async function deleteSomeReleasesOfApplication(
  db: Executor,
  applicationId: string,
  most: number,
): Promise<number> {
  const some = db.selectFrom('releases').select('id').where('application_id', '=', applicationId).limit(most)
  const result = await db.deleteFrom('releases').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
