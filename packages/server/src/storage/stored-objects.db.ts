import type { Executor, Tx } from '../database/transaction.ts'
import type { SealedObject } from './driver.ts'

/** Records which segments an object consists of, in the transaction that lets a row refer to it. */
export async function insertStoredObject(tx: Tx, { key, sizeBytes, segments }: SealedObject): Promise<void> {
  await tx
    .insertInto('stored_objects')
    .values({ key, size_bytes: sizeBytes, segments: JSON.stringify(segments) })
    .execute()
}

/** The manifest of an object that is not marked as deleted. */
export async function findStoredObject(db: Executor, key: string): Promise<SealedObject | undefined> {
  const row = await db
    .selectFrom('stored_objects')
    .select(['size_bytes', 'segments'])
    .where('key', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { key, sizeBytes: row.size_bytes, segments: row.segments as SealedObject['segments'] }
}

/** Marks objects as garbage; their bytes go after the days of grace. */
export async function markStoredObjectsDeleted(tx: Tx, keys: string[], now: Date): Promise<void> {
  if (keys.length === 0) return
  await tx
    .updateTable('stored_objects')
    .set({ deleted_at: now.toISOString() })
    .where('key', 'in', keys)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Keys marked before `markedBefore`, oldest first: remove the bytes, then the row. */
export async function listDeletedStoredObjects(
  db: Executor,
  { markedBefore, limit }: { markedBefore: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_objects')
    .select('key')
    .where('deleted_at', '<', markedBefore.toISOString())
    .orderBy('deleted_at')
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}

export async function deleteStoredObject(tx: Executor, key: string): Promise<void> {
  await tx.deleteFrom('stored_objects').where('key', '=', key).where('deleted_at', 'is not', null).execute()
}
