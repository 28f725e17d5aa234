import { sql, type Insertable, type Updateable } from 'kysely'
import { requireApplication } from '../../access/application.db.ts'
import { nameOrder } from '../../database/expressions.ts'
import { jsonArrayFrom } from '../../database/json-text.ts'
import type { Database } from '../../database/tables.ts'
import type { Db, Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { notFound } from '../../lib/problem.ts'
import { requireBuild, selectBuilds } from '../builds/build.db.ts'
import { selectLabelJson } from '../labels/label.db.ts'
import type { LabelRow } from '../labels/label.ts'

const labelsOfRelease = sql<LabelRow[]>`${
  jsonArrayFrom(
    selectLabelJson,
    sql`from release_labels join labels on labels.id = release_labels.label_id
      where release_labels.release_id = releases.id`,
    sql`${nameOrder('labels.name')}, labels.id`,
  ).text
}::json`

const buildCount = sql<number>`(
  select count(*) from release_builds join builds on builds.id = release_builds.build_id
  where release_builds.release_id = releases.id and builds.deleted_at is null)`

const platformsOfRelease = sql<string[]>`array(
  select builds.platform from release_builds join builds on builds.id = release_builds.build_id
  where release_builds.release_id = releases.id and builds.deleted_at is null
  group by builds.platform order by builds.platform)`

/** Selects releases with their labels, and the platforms and number of their builds that are not in the trash. */
export function selectReleases(db: Executor) {
  return db
    .selectFrom('releases')
    .selectAll('releases')
    .select([labelsOfRelease.as('labels'), buildCount.as('build_count'), platformsOfRelease.as('platforms')])
}

export type ReleaseRow = Awaited<ReturnType<ReturnType<typeof selectReleases>['executeTakeFirstOrThrow']>>

export async function requireRelease(db: Executor, applicationId: string, id: string): Promise<ReleaseRow> {
  return selectReleases(db)
    .where('releases.application_id', '=', applicationId)
    .where('releases.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}

/**
 * Lists the application's releases with these IDs. Each row includes the IDs of the release's builds, except builds in
 * the trash.
 */
export async function listReleasesByIds(db: Executor, applicationId: string, ids: string[]) {
  const buildIds = sql<string[]>`array(
    select builds.id from release_builds join builds on builds.id = release_builds.build_id
    where release_builds.release_id = releases.id and builds.deleted_at is null order by builds.created_at, builds.id)`
  return selectReleases(db)
    .select(buildIds.as('build_ids'))
    .where('releases.application_id', '=', applicationId)
    .where(sql<boolean>`releases.id = any(${ids})`)
    .execute()
}

type PathCall<Params> = { db: Db; actor: Actor; params: Params }

/** Loads the application and the release that the path identifies; throws 404 if either does not exist. */
export async function requireReleaseOfPath(call: PathCall<{ application_id: string; release_id: string }>) {
  const application = await requireApplication(call.db, call.actor, call.params.application_id)
  return { application, release: await requireRelease(call.db, application.id, call.params.release_id) }
}

/**
 * Loads the application, the release and the build that the path identifies; throws 404 if any of them does not exist.
 */
export async function requireReleaseAndBuildOfPath(
  call: PathCall<{ application_id: string; release_id: string; build_id: string }>,
) {
  const { application, release } = await requireReleaseOfPath(call)
  return { application, release, build: await requireBuild(call.db, application.id, call.params.build_id) }
}

/** Returns a release of the workspace; throws 404 if it does not exist or its application is in the trash. */
export async function requireReleaseOfWorkspace(db: Executor, workspaceId: string, id: string) {
  return db
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
    .executeTakeFirstOrThrow(notFound)
}

/** Lists these releases of any application. */
export async function listReleaseRows(db: Executor, ids: string[]): Promise<ReleaseRow[]> {
  return selectReleases(db)
    .where(sql<boolean>`releases.id = any(${ids})`)
    .execute()
}

/** Lists the builds of a release, except those in the trash, newest first. */
export const listBuildsOfRelease = (db: Executor, releaseId: string) => listBuildsOfReleases(db, [releaseId])

/** Lists the builds of releases with the ID of each release, except those in the trash, newest first. */
export async function listBuildsOfReleases(db: Executor, releaseIds: string[]) {
  return selectBuilds(db)
    .innerJoin('release_builds', 'release_builds.build_id', 'builds.id')
    .select('release_builds.release_id')
    .where(sql<boolean>`release_builds.release_id = any(${releaseIds})`)
    .orderBy('builds.created_at', 'desc')
    .orderBy('builds.id')
    .execute()
}

/** Locks the release until the end of the transaction and returns it; throws 404 if it does not exist. */
export async function requireLockedRelease(tx: Tx, applicationId: string, id: string): Promise<ReleaseRow> {
  await tx
    .selectFrom('releases')
    .select('id')
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  return requireRelease(tx, applicationId, id)
}

export async function insertRelease(tx: Tx, release: Insertable<Database['releases']>): Promise<void> {
  await tx.insertInto('releases').values(release).execute()
}

export async function saveRelease(
  tx: Tx,
  id: string,
  columns: Updateable<Database['releases']>,
): Promise<void> {
  await tx.updateTable('releases').set(columns).where('id', '=', id).execute()
}

/** Sets `updated_at` after a change to rows in other tables, such as the builds or labels of the release. */
export async function markReleaseUpdated(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('releases')
    .set({ updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Publishes the releases and clears their schedules. */
export async function markReleasesPublished(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .updateTable('releases')
    .set({ status: 'published', published_at: sql`now()`, scheduled_for: null, withdrawn_at: null })
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
}

export async function markReleaseWithdrawn(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('releases')
    .set({ status: 'withdrawn', scheduled_for: null, withdrawn_at: sql`now()` })
    .where('id', '=', id)
    .execute()
}

/** Returns a published release and prevents its withdrawal and deletion until the end of the transaction. */
export async function findLockedPublishedRelease(tx: Tx, id: string) {
  return tx
    .selectFrom('releases')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'published')
    .forShare()
    .executeTakeFirst()
}

/** Scheduled releases whose application is not in the trash. */
function selectScheduledReleases(db: Executor, exceptIds: string[]) {
  return db
    .selectFrom('releases')
    .innerJoin('applications', 'applications.id', 'releases.application_id')
    .where('releases.status', '=', 'scheduled')
    .where('applications.deleted_at', 'is', null)
    .$if(exceptIds.length > 0, (query) => query.where('releases.id', 'not in', exceptIds))
    .orderBy('releases.scheduled_for')
    .orderBy('releases.id')
}

/**
 * Returns the time until the next scheduled release is due: zero or less if one is due, and undefined if none is
 * scheduled.
 */
export async function findPublicationDelayMs(db: Executor, exceptIds: string[]): Promise<number | undefined> {
  const row = await selectScheduledReleases(db, exceptIds)
    .select(
      sql<number>`(extract(epoch from releases.scheduled_for - clock_timestamp()) * 1000)::float8`.as(
        'delay_ms',
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.delay_ms
}

/**
 * Locks up to `limit` due releases until the end of the transaction and returns them, earliest first. Skips releases
 * that others have locked, so that several callers claim different releases. Without `ids`, considers all releases.
 */
export async function claimDueReleases(
  tx: Tx,
  { ids, exceptIds = [], limit }: { ids?: string[] | undefined; exceptIds?: string[]; limit: number },
): Promise<ReleaseRow[]> {
  const due = await selectScheduledReleases(tx, exceptIds)
    .select('releases.id')
    .where(sql<boolean>`releases.scheduled_for <= now()`)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`releases.id = any(${ids})`))
    .limit(limit)
    .forUpdate('releases')
    .skipLocked()
    .execute()
  if (due.length === 0) return []
  return listReleaseRows(
    tx,
    due.map(({ id }) => id),
  )
}

/** Notifications on this channel report that a release was scheduled. */
export const scheduleChannel = 'quayside_schedules'

/** Wakes the nodes that publish releases when the transaction commits. */
export async function announceSchedule(tx: Tx): Promise<void> {
  await sql`select pg_notify(${scheduleChannel}, '')`.execute(tx)
}

export async function removeRelease(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('releases').where('id', '=', id).execute()
}

/** Deletes up to `limit` releases of an application and all rows that refer to them; returns the number deleted. */
export async function deleteSomeReleasesOfApplication(
  db: Executor,
  applicationId: string,
  limit: number,
): Promise<number> {
  const some = db.selectFrom('releases').select('id').where('application_id', '=', applicationId).limit(limit)
  const result = await db.deleteFrom('releases').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
