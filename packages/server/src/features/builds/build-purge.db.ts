import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Cursor } from './build-trash.db.ts'

const isOverdue = (column: 'builds.deleted_at' | 'applications.deleted_at', trashDays: number) =>
  sql<boolean>`${sql.ref(column)} <= now() - make_interval(days => ${trashDays}::int)`

const isAfter = (column: 'deleted_at' | 'created_at', { at, id }: Cursor) =>
  sql<boolean>`(${sql.ref(column)}, id) > (${at}::timestamptz, ${id})`

/** Lists builds whose restore period has ended, starting after the cursor, in order of deletion time. */
export async function listOverdueBuilds(
  db: Executor,
  trashDays: number,
  after: Cursor | undefined,
  limit: number,
): Promise<Cursor[]> {
  const overdue = db
    .selectFrom('builds')
    .select(['id', sql<string>`deleted_at`.as('at')])
    .where(isOverdue('builds.deleted_at', trashDays))
  return (after === undefined ? overdue : overdue.where(isAfter('deleted_at', after)))
    .orderBy('deleted_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Lists the application's builds that are not in the trash, starting after the cursor, from oldest to newest. */
export async function listBuildsOfApplication(
  db: Executor,
  applicationId: string,
  after: Cursor | undefined,
  limit: number,
): Promise<Cursor[]> {
  const builds = db
    .selectFrom('builds')
    .select(['id', 'created_at as at'])
    .where('application_id', '=', applicationId)
    .where('deleted_at', 'is', null)
  return (after === undefined ? builds : builds.where(isAfter('created_at', after)))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Locks and returns the builds whose restore period, or that of their application, has ended. Skips builds that were
 * restored or purged after they were listed, and builds that another transaction has locked.
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

/**
 * Lists the object keys of all files, chunk indexes, artifacts, icons and screenshots that belong to the builds, and of the
 * patches to or from their files.
 */
export async function listObjectsOfBuilds(
  tx: Tx,
  ids: string[],
): Promise<{ build_id: string; key: string }[]> {
  const isOfBuilds = sql<boolean>`build_id = any(${ids})`
  return tx
    .selectFrom('files')
    .select(['build_id', 'object_key as key'])
    .where(isOfBuilds)
    .union(tx.selectFrom('metadata_artifacts').select(['build_id', 'object_key as key']).where(isOfBuilds))
    .union(
      tx
        .selectFrom('chunk_indexes')
        .innerJoin('files', 'files.id', 'chunk_indexes.file_id')
        .select(['files.build_id', 'chunk_indexes.object_key as key'])
        .where(sql<boolean>`files.build_id = any(${ids})`),
    )
    .union(
      tx
        .selectFrom('file_patches')
        .innerJoin('files', (join) =>
          join.on((eb) =>
            eb.or([
              eb('files.id', '=', eb.ref('file_patches.file_id')),
              eb('files.id', '=', eb.ref('file_patches.source_file_id')),
            ]),
          ),
        )
        .select(['files.build_id', 'file_patches.object_key as key'])
        .where(sql<boolean>`files.build_id = any(${ids})`)
        .where('file_patches.object_key', 'is not', null)
        .$narrowType<{ key: string }>(),
    )
    .union(
      tx
        .selectFrom('feedback_screenshots as s')
        .innerJoin('feedback', 'feedback.id', 's.feedback_id')
        .select(['feedback.build_id', 's.object_key as key'])
        .where(sql<boolean>`feedback.build_id = any(${ids})`),
    )
    .union(
      tx
        .selectFrom('builds')
        .select(['id as build_id', 'icon_object_key as key'])
        .where(sql<boolean>`id = any(${ids})`)
        .where('icon_object_key', 'is not', null)
        .$narrowType<{ key: string }>(),
    )
    .execute()
}

export async function deleteSomeDownloads(db: Executor, buildIds: string[], limit: number): Promise<number> {
  const some = db
    .selectFrom('downloads')
    .select('id')
    .where(sql<boolean>`build_id = any(${buildIds})`)
    .limit(limit)
  const result = await db.deleteFrom('downloads').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes the builds with their files, artifacts, labels, share links, release memberships and uploads. */
export async function deleteBuilds(tx: Tx, ids: string[]): Promise<void> {
  await tx
    .deleteFrom('builds')
    .where(sql<boolean>`id = any(${ids})`)
    .execute()
}
