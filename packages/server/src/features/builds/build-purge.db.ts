import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Cursor } from './build-trash.db.ts'

const isOverdue = (column: 'builds.deleted_at' | 'applications.deleted_at', trashDays: number) =>
  sql<boolean>`${sql.ref(column)} <= now() - make_interval(days => ${trashDays}::int)`

const isAfter = (column: 'deleted_at' | 'created_at', { at, id }: Cursor) =>
  sql<boolean>`(${sql.ref(column)}, id) > (${at}::timestamptz, ${id})`

/** Builds whose days in the trash are over, those before the cursor left out. */
export async function listOverdueBuilds(
  db: Executor,
  trashDays: number,
  after: Cursor | undefined,
  most: number,
): Promise<Cursor[]> {
  const overdue = db
    .selectFrom('builds')
    .select(['id', sql<string>`deleted_at`.as('at')])
    .where(isOverdue('builds.deleted_at', trashDays))
  return (after === undefined ? overdue : overdue.where(isAfter('deleted_at', after)))
    .orderBy('deleted_at')
    .orderBy('id')
    .limit(most)
    .execute()
}

/** Builds of an application that are not in the trash themselves, those before the cursor left out. */
export async function listBuildsOfApplication(
  db: Executor,
  applicationId: string,
  after: Cursor | undefined,
  most: number,
): Promise<Cursor[]> {
  const builds = db
    .selectFrom('builds')
    .select(['id', 'created_at as at'])
    .where('application_id', '=', applicationId)
    .where('deleted_at', 'is', null)
  return (after === undefined ? builds : builds.where(isAfter('created_at', after)))
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute()
}

/**
 * Holds a build whose days are over, its own or its application's, until the end of the transaction; undefined when
 * it was restored, is gone, or somebody else holds one of both.
 */
export async function findLockedOverdueBuild(tx: Tx, id: string, trashDays: number) {
  return tx
    .selectFrom('builds')
    .innerJoin('applications', 'applications.id', 'builds.application_id')
    .selectAll('builds')
    .where('builds.id', '=', id)
    .where((eb) =>
      eb.or([isOverdue('builds.deleted_at', trashDays), isOverdue('applications.deleted_at', trashDays)]),
    )
    .modifyEnd(sql`for update of builds skip locked for share of applications skip locked`)
    .executeTakeFirst()
}

/** Keys of everything stored for the build. */
export async function listObjectKeysOfBuild(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('files')
    .select('object_key')
    .where('build_id', '=', id)
    .union(tx.selectFrom('metadata_artifacts').select('object_key').where('build_id', '=', id))
    .execute()
  return rows.map(({ object_key }) => object_key)
}

export async function deleteSomeDownloads(db: Executor, buildId: string, most: number): Promise<number> {
  const some = db.selectFrom('downloads').select('id').where('build_id', '=', buildId).limit(most)
  const result = await db.deleteFrom('downloads').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** With all that refers to it: files, artifacts, labels, share links, its place in releases, its upload. */
export async function deleteBuildRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('builds').where('id', '=', id).execute()
}
