import { sql, type QueryCreator } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Tx } from '../../database/transaction.ts'
import type { SealedObject } from '../driver.ts'
import { sourceKeys } from './composition.ts'

/*
 * An object whose files others use is not deleted. The rows of an unfinished upload keep them from the moment at which its
 * composition is accepted, and those of its object from its insertion on.
 */

/** Records the objects whose files a new object uses. */
export async function insertObjectSources(
  tx: Tx,
  object: Pick<SealedObject, 'key' | 'segments'>,
): Promise<void> {
  const keys = sourceKeys(object).filter((key) => key !== object.key)
  if (keys.length === 0) return
  await tx
    .insertInto('stored_object_sources')
    .values(keys.map((source_key) => ({ key: object.key, source_key })))
    .execute()
}

/**
 * Locks objects until the end of the transaction, so that none of them is marked as deleted before their use is recorded.
 * Returns the keys of those that are not marked.
 */
export async function lockSources(tx: Tx, keys: string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('stored_objects')
    .select('key')
    .where(sql<boolean>`key = any(${keys})`)
    .where('deleted_at', 'is', null)
    .orderBy('key')
    .forShare()
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/** Replaces the objects whose files an unfinished upload uses. The caller must have locked them. */
export async function replaceUploadSources(tx: Tx, fileId: string, keys: string[]): Promise<void> {
  await tx.deleteFrom('stored_object_sources').where('pending_upload_file_id', '=', fileId).execute()
  if (keys.length === 0) return
  await tx
    .insertInto('stored_object_sources')
    .values(keys.map((source_key) => ({ pending_upload_file_id: fileId, source_key })))
    .execute()
}

/** Returns a query that releases the objects whose files an upload has used. */
export const releaseUploadSources = (db: QueryCreator<Database>, uploadId: string) =>
  db
    .deleteFrom('stored_object_sources')
    .where('pending_upload_file_id', 'in', (eb) =>
      eb.selectFrom('pending_upload_files').select('id').where('pending_upload_id', '=', uploadId),
    )
