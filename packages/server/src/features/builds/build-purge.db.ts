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
 * Holds those whose days are over, their own or their application's, until the end of the transaction; not what was
 * restored, is gone, or somebody else holds.
 */
export async function listLockedOverdueBuilds(tx: Tx, ids: string[], trashDays: number) {
  return tx
    .selectFrom('builds')
    .innerJoin('applications', 'applications.id', 'builds.application_id')
    .selectAll('builds')
    .where(sql<boolean>`builds.id = any(${ids})`)
    .where((eb) =>
      eb.or([isOverdue('builds.deleted_at', trashDays), isOverdue('applications.deleted_at', trashDays)]),
    )
    .modifyEnd(sql`for update of builds skip locked for share of applications skip locked`)
    .execute()
}

/** Keys of everything stored for the builds. */
export async function listObjectsOfBuilds(
  tx: Tx,
  ids: string[],
): Promise<{ build_id: string; key: string }[]> {
  const isOfThem = sql<boolean>`build_id = any(${ids})`
  return tx
    .selectFrom('files')
    .select(['build_id', 'object_key as key'])
    .where(isOfThem)
    .union(tx.selectFrom('metadata_artifacts').select(['build_id', 'object_key as key']).where(isOfThem))
    .execute()
}

export async function deleteSomeDownloads(db: Executor, buildIds: string[], most: number): Promise<number> {
  const some = db
    .selectFrom('downloads')
    .select('id')
    .where(sql<boolean>`build_id = any(${buildIds})`)
    .limit(most)
  const result = await db.deleteFrom('downloads').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** With all that refers to it: files, artifacts, labels, share links, its place in releases, its upload. */
export async function deleteBuildRows(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .deleteFrom('builds')
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
}
