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
