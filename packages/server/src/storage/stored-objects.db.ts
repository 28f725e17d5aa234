import { sql } from 'kysely'
import type { Executor, Tx } from '../database/transaction.ts'
import type { SealedObject } from './driver.ts'

/**
 * Records which segments an object consists of, in the transaction that lets a row refer to it. With an `iconType` it
 * is for everybody to see.
 */
export async function insertStoredObject(
  tx: Tx,
  { key, sizeBytes, segments }: SealedObject,
  iconType: string | null = null,
): Promise<void> {
  await tx
    .insertInto('stored_objects')
    .values({ key, size_bytes: sizeBytes, segments: JSON.stringify(segments), icon_type: iconType })
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

/** An object that is an icon, with its content type; no other is ever found. */
export async function findStoredIcon(db: Executor, key: string) {
  const row = await db
    .selectFrom('stored_objects')
    .select(['size_bytes', 'segments', 'icon_type'])
    .where('key', '=', key)
    .where('icon_type', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined || row.icon_type === null) return undefined
  const segments = row.segments as SealedObject['segments']
  return { object: { key, sizeBytes: row.size_bytes, segments }, contentType: row.icon_type }
}

/** Which of the keys have a manifest, marked as deleted or not: their bytes are nobody's to drop but the sweep's. */
export async function listStoredKeys(db: Executor, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('stored_objects')
    .select('key')
    .where(sql<boolean>`key = any(${keys})`)
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/** Marks an object that no row refers to any more; its bytes go when the time of grace is over. */
export const updateStoredObjectDeleted = (tx: Tx, key: string): Promise<void> =>
  updateStoredObjectsDeleted(tx, [key])

/** Marks objects that no row refers to any more; their bytes go when the time of grace is over. */
export async function updateStoredObjectsDeleted(tx: Tx, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  await tx
    .updateTable('stored_objects')
    .set({ deleted_at: sql`now()` })
    .where(sql<boolean>`key = any(${keys})`)
    .where('deleted_at', 'is', null)
    .execute()
}
