import { sql } from 'kysely'
import type { Executor, Tx } from '../../../database/transaction.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import { insertStoredObject, markObjectsDeleted } from '../../../storage/objects/stored-objects.db.ts'
import { saveCompleteReading } from '../inspection/build-reading.db.ts'
import { minIndexedBytes } from './chunk-index.ts'

/** Finds the chunk index of a file. */
export async function findChunkIndex(db: Executor, fileId: string) {
  return db
    .selectFrom('chunk_indexes')
    .select(['object_key', 'size_bytes'])
    .where('file_id', '=', fileId)
    .executeTakeFirst()
}

/** Returns the chunk indexes of files by the IDs of the files. */
export async function findChunkIndexes(db: Executor, files: readonly { id: string }[]) {
  const rows = await db
    .selectFrom('chunk_indexes')
    .select(['file_id', 'object_key'])
    .where(sql<boolean>`file_id = any(${files.map(({ id }) => id)}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.file_id, row]))
}

/**
 * Inserts the chunk index of a file. Returns false if the file was deleted, or if another node has inserted its index in
 * the meantime.
 */
export async function insertChunkIndex(tx: Tx, fileId: string, object: SealedObject): Promise<boolean> {
  const file = await tx
    .selectFrom('files')
    .select('id')
    .where('id', '=', fileId)
    .forUpdate()
    .executeTakeFirst()
  if (file === undefined || (await findChunkIndex(tx, fileId)) !== undefined) return false
  await insertStoredObject(tx, object)
  await tx
    .insertInto('chunk_indexes')
    .values({
      file_id: fileId,
      object_key: object.key,
      size_bytes: object.sizeBytes,
    })
    .execute()
  return true
}

/** Deletes a damaged chunk index, and makes its computation due. Returns false if it has been deleted already. */
export async function discardChunkIndex(tx: Tx, key: string): Promise<boolean> {
  const { rows } = await sql`
    with discarded as (delete from chunk_indexes where object_key = ${key} returning file_id)
    update build_readings set version = 0, has_failed = false, due_at = now()
    where kind = 'chunks' and build_id in (select build_id from files join discarded on file_id = files.id)
    returning build_id`.execute(tx)
  await markObjectsDeleted(tx, [key])
  return rows.length > 0
}

/** Records that all files of the build that need a chunk index have one. Does nothing if one lacks it. */
export const saveChunkReading = (tx: Tx, buildId: string, version: number): Promise<void> =>
  saveCompleteReading(tx, buildId, {
    kind: 'chunks',
    version,
    isIncomplete: sql<boolean>`exists (
      select from files left join chunk_indexes on chunk_indexes.file_id = files.id
      where build_id = ${buildId} and files.size_bytes >= ${minIndexedBytes} and checksum_error is null
        and chunk_indexes.file_id is null)`,
  })
