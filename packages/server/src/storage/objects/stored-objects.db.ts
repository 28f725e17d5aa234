import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import { storeIdOf } from '../custom/store-key.ts'
import type { SealedObject } from '../driver.ts'

/**
 * Inserts the manifest of a sealed object. Must be called in the transaction that first refers to the object. An object
 * with an `iconType` is public.
 */
export async function insertStoredObject(
  tx: Tx,
  { key, sizeBytes, segments }: SealedObject,
  iconType: string | null = null,
): Promise<void> {
  await tx
    .insertInto('stored_objects')
    .values({
      key,
      store_id: storeIdOf(key),
      size_bytes: sizeBytes,
      segments: JSON.stringify(segments),
      icon_type: iconType,
    })
    .execute()
}

/** Replaces the parts in the manifest of an object that was copied to another storage. */
export async function saveSegments(
  db: Executor,
  key: string,
  segments: SealedObject['segments'],
): Promise<void> {
  await db
    .updateTable('stored_objects')
    .set({ segments: JSON.stringify(segments) })
    .where('key', '=', key)
    .execute()
}

/** Returns the manifest of an object that is not marked as deleted. */
export async function findStoredObject(db: Executor, key: string): Promise<SealedObject | undefined> {
  const row = await db
    .selectFrom('stored_objects')
    .select(['size_bytes', 'segments'])
    .where('key', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { key, sizeBytes: row.size_bytes, segments: row.segments as SealedObject['segments'] }
}

/** Returns an icon and its content type, or undefined if the object is not an icon. */
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

/**
 * Returns the keys that have a manifest, including objects that are marked as deleted, because only the deletion job
 * may delete their bytes.
 */
export async function listStoredKeys(db: Executor, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('stored_objects')
    .select('key')
    .where(sql<boolean>`key = any(${keys})`)
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/** Which objects to process: only those in the storage of the service, or also those in custom stores. */
export type ObjectScope = 'hosted' | 'all'

/** Lists manifests in the order of their keys, starting after `afterKey`, including objects that are marked as deleted. */
export async function listStoredObjects(
  db: Executor,
  scope: ObjectScope,
  afterKey: string | undefined,
  limit: number,
) {
  const rows = await db
    .selectFrom('stored_objects')
    .$if(scope === 'hosted', (query) => query.where('store_id', 'is', null))
    .select(['key', 'size_bytes', 'segments', 'deleted_at'])
    .$if(afterKey !== undefined, (query) => query.where('key', '>', afterKey ?? ''))
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map(({ key, size_bytes, segments, deleted_at }) => ({
    key,
    sizeBytes: size_bytes,
    segments: segments as SealedObject['segments'],
    isDeleted: deleted_at !== null,
  }))
}

/** Counts the objects with a manifest and their bytes. */
export async function countStoredObjects(
  db: Executor,
  scope: ObjectScope,
): Promise<{ objects: number; sizeBytes: number }> {
  const row = await db
    .selectFrom('stored_objects')
    .$if(scope === 'hosted', (query) => query.where('store_id', 'is', null))
    .select([sql<string>`count(*)`.as('objects'), sql<string>`coalesce(sum(size_bytes), 0)`.as('size_bytes')])
    .executeTakeFirstOrThrow()
  return { objects: Number(row.objects), sizeBytes: Number(row.size_bytes) }
}

/** Replaces the manifest of a copied object. Returns false if the manifest has changed or the object was deleted. */
export async function replaceManifest(
  db: Executor,
  from: Pick<SealedObject, 'key' | 'segments'>,
  to: Pick<SealedObject, 'segments'>,
): Promise<boolean> {
  const result = await db
    .updateTable('stored_objects')
    .set({ segments: JSON.stringify(to.segments) })
    .where('key', '=', from.key)
    .where('segments', '=', JSON.stringify(from.segments))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Marks the given objects as deleted. They must be unreferenced; their bytes are deleted after the grace period. */
export async function markObjectsDeleted(tx: Tx, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  await tx
    .updateTable('stored_objects')
    .set({ deleted_at: sql`now()` })
    .where(sql<boolean>`key = any(${keys})`)
    .where('deleted_at', 'is', null)
    .execute()
}
