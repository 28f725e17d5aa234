import { sql } from 'kysely'
import { inTransaction, type Db, type Executor, type Tx } from '../../../database/transaction.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import { insertStoredObject, markObjectsDeleted } from '../../../storage/objects/stored-objects.db.ts'

export type PatchRow = Awaited<ReturnType<typeof listPatches>>[number]

/** The file that a patch restores, and the one from which it does. */
export type PatchedFiles = { fileId: string; sourceId: string }

/** Lists the patches that restore a file from one of a build that is not in the trash, or only those from the file `from`. */
export async function listPatches(db: Executor, fileId: string, from: string | undefined) {
  return db
    .selectFrom('file_patches as patches')
    .innerJoin('files as sources', 'sources.id', 'patches.source_file_id')
    .innerJoin('builds', 'builds.id', 'sources.build_id')
    .innerJoin('stored_objects as objects', 'objects.key', 'patches.object_key')
    .select([
      'patches.source_file_id',
      'sources.checksum_sha256 as source_sha256',
      'sources.size_bytes as source_size_bytes',
      'objects.key as object_key',
      'objects.size_bytes',
      'patches.checksum_sha256',
    ])
    .where('patches.file_id', '=', fileId)
    .where('builds.deleted_at', 'is', null)
    .where('objects.deleted_at', 'is', null)
    .$if(from !== undefined, (query) => query.where('sources.checksum_sha256', '=', from ?? ''))
    .orderBy('patches.created_at', 'desc')
    .orderBy('patches.source_file_id')
    .$narrowType<{ source_sha256: string; checksum_sha256: string }>()
    .execute()
}

/**
 * Lists the builds before a build in its stream for the same platform, custom target and architectures, the newest first.
 * Returns none for a build that is older than `maxAgeDays` days or in the trash.
 */
export async function listEarlierBuilds(
  db: Executor,
  buildId: string,
  { maxAgeDays, limit }: { maxAgeDays: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('builds as later')
    .innerJoin('builds as earlier', (join) =>
      join
        .onRef('earlier.application_id', '=', 'later.application_id')
        .onRef('earlier.stream_id', '=', 'later.stream_id')
        .onRef('earlier.platform', '=', 'later.platform')
        .onRef('earlier.architectures', '=', 'later.architectures')
        .on(sql<boolean>`earlier.custom_target_id is not distinct from later.custom_target_id`)
        .on(sql<boolean>`(earlier.created_at, earlier.id) < (later.created_at, later.id)`),
    )
    .select('earlier.id')
    .where('later.id', '=', buildId)
    .where('later.deleted_at', 'is', null)
    .where('earlier.deleted_at', 'is', null)
    .where(sql<boolean>`later.created_at > now() - make_interval(days => ${maxAgeDays}::int)`)
    .orderBy('earlier.created_at', 'desc')
    .orderBy('earlier.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Records that the creation of a patch starts. Returns the number of the attempt, or undefined if there is a patch, or after
 * `maxAttempts` attempts.
 */
export async function startAttempt(
  db: Executor,
  { fileId, sourceId }: PatchedFiles,
  maxAttempts: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ attempts: number }>`
    insert into file_patches (file_id, source_file_id) values (${fileId}, ${sourceId})
    on conflict (file_id, source_file_id) do update set attempts = file_patches.attempts + 1
      where file_patches.object_key is null and file_patches.failure is null
        and file_patches.attempts < ${maxAttempts}
    returning attempts`.execute(db)
  return rows[0]?.attempts
}

const isPatch = ({ fileId, sourceId }: PatchedFiles) =>
  sql<boolean>`file_id = ${fileId} and source_file_id = ${sourceId}`

/** Does not count an attempt that did not end. */
export async function releaseAttempt(db: Executor, files: PatchedFiles): Promise<void> {
  await db
    .updateTable('file_patches')
    .set({ attempts: sql<number>`attempts - 1` })
    .where(isPatch(files))
    .execute()
}

/** Records why there is no patch, so that its creation is not repeated. */
export async function savePatchFailure(db: Executor, files: PatchedFiles, failure: string): Promise<void> {
  await db
    .updateTable('file_patches')
    .set({ failure })
    .where(isPatch(files))
    .where('object_key', 'is', null)
    .execute()
}

/** Saves a patch. Returns false if one of the files was deleted, or if another node has saved their patch. */
export async function savePatch(
  tx: Tx,
  files: PatchedFiles,
  { object, sha256 }: { object: SealedObject; sha256: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('file_patches')
    .select('object_key')
    .where(isPatch(files))
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || row.object_key !== null) return false
  await insertStoredObject(tx, object)
  await tx
    .updateTable('file_patches')
    .set({ object_key: object.key, size_bytes: object.sizeBytes, checksum_sha256: sha256, failure: null })
    .where(isPatch(files))
    .execute()
  return true
}

/** Deletes a damaged patch. Returns false if it has been deleted already. */
export async function discardPatch(tx: Tx, key: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('file_patches')
    .where('object_key', '=', key)
    .executeTakeFirst()
  await markObjectsDeleted(tx, [key])
  return numDeletedRows > 0n
}

/** Deletes up to `limit` rows older than `keptDays` days and marks their patches. Returns the number of deleted rows. */
export async function deleteSomeOldPatches(db: Db, keptDays: number, limit: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ object_key: string | null }>`
      delete from file_patches where (file_id, source_file_id) in (
        select file_id, source_file_id from file_patches
        where created_at < now() - make_interval(days => ${keptDays}::int) limit ${limit} for update skip locked)
      returning object_key`.execute(tx)
    await markObjectsDeleted(
      tx,
      rows.flatMap(({ object_key }) => object_key ?? []),
    )
    return rows.length
  })
}
