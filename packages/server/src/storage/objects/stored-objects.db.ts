import { sql, type QueryCreator } from 'kysely'
import type { Database } from '../../database/tables.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import { storeIdOf } from '../custom/store-key.ts'
import type { SealedObject } from '../driver.ts'
import { ownBytes } from './composition.ts'
import { listReferences, markIfUnreferenced } from './marked-objects.db.ts'
import { insertObjectSources } from './object-sources.db.ts'

/** An object with an `iconType` is public. An object that consists of ranges shares bytes in its application. */
type ObjectUse = { iconType?: string | null; applicationId?: string | null }

/** Inserts the manifest of a sealed object. Must be called in the transaction that first refers to the object. */
export async function insertStoredObject(tx: Tx, object: SealedObject, use: ObjectUse = {}): Promise<void> {
  await insertManifests(tx, [object], use).execute()
  await insertObjectSources(tx, object)
}

/** Returns a query that inserts manifests as `insertStoredObject` does, but without their sources. */
export const insertManifests = (
  db: QueryCreator<Database>,
  objects: readonly SealedObject[],
  { iconType = null, applicationId = null }: ObjectUse,
) =>
  db.insertInto('stored_objects').values(
    objects.map((object) => {
      const sharedBytes = Math.max(object.sizeBytes - ownBytes(object), 0)
      return {
        key: object.key,
        store_id: storeIdOf(object.key),
        size_bytes: object.sizeBytes,
        ...manifestValues(object),
        icon_type: iconType,
        shared_in: sharedBytes > 0 ? applicationId : null,
        shared_bytes: sharedBytes,
      }
    }),
  )

/** Sets the manifest of an object that was copied to another storage, which then holds all of its bytes. */
const copiedValues = (object: Pick<SealedObject, 'segments'>) => ({
  ...manifestValues(object),
  shared_bytes: sql<number>`case when shared_bytes < 0 then -size_bytes else 0 end`,
})

const manifestValues = ({ segments, ranges }: Pick<SealedObject, 'segments' | 'ranges'>) => ({
  segments: JSON.stringify(segments),
  ranges: ranges === undefined ? null : JSON.stringify(ranges),
})

/** Converts a row to an object. */
export const toSealedObject = (row: {
  key: string
  size_bytes: number
  segments: unknown
  ranges: unknown
}): SealedObject => ({
  key: row.key,
  sizeBytes: row.size_bytes,
  segments: row.segments as SealedObject['segments'],
  ...(row.ranges !== null && { ranges: row.ranges as NonNullable<SealedObject['ranges']> }),
})

/** Replaces the parts in the manifest of an object that was copied to another storage. */
export async function saveSegments(
  db: Executor,
  key: string,
  segments: SealedObject['segments'],
): Promise<void> {
  await db
    .with('saved', (cte) =>
      cte
        .updateTable('stored_objects')
        .set(copiedValues({ segments }))
        .where('key', '=', key)
        .returning('key'),
    )
    .deleteFrom('stored_object_sources')
    .where('key', 'in', (eb) => eb.selectFrom('saved').select('key'))
    .execute()
}

/** Returns the manifest of an object that is not marked as deleted. */
export async function findStoredObject(db: Executor, key: string): Promise<SealedObject | undefined> {
  const row = await db
    .selectFrom('stored_objects')
    .select(['key', 'size_bytes', 'segments', 'ranges'])
    .where('key', '=', key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && toSealedObject(row)
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
    .select(['key', 'size_bytes', 'segments', 'ranges', 'deleted_at'])
    .$if(afterKey !== undefined, (query) => query.where('key', '>', afterKey ?? ''))
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...toSealedObject(row), isDeleted: row.deleted_at !== null }))
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
  from: Pick<SealedObject, 'key' | 'segments' | 'ranges'>,
  to: Pick<SealedObject, 'segments'>,
): Promise<boolean> {
  const before = manifestValues(from)
  const row = await db
    .with('replaced', (cte) =>
      cte
        .updateTable('stored_objects')
        .set(copiedValues(to))
        .where('key', '=', from.key)
        .where('segments', '=', before.segments)
        .where(sql<boolean>`ranges is not distinct from ${before.ranges}::jsonb`)
        .where('deleted_at', 'is', null)
        .returning('key'),
    )
    .with('released', (cte) =>
      cte
        .deleteFrom('stored_object_sources')
        .where('key', 'in', (eb) => eb.selectFrom('replaced').select('key')),
    )
    .selectFrom('replaced')
    .select('key')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Marks the given objects as deleted. No row of their owners may refer to them; their bytes are deleted after the grace
 * period. Objects whose files others use are kept, with only these files, until the last of the others is deleted.
 */
export async function markObjectsDeleted(tx: Tx, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  const isGiven = sql<boolean>`key = any(${keys})`
  // An upload that is about to use the files holds a lock. Only a statement that starts after its commit sees its sources.
  await tx.selectFrom('stored_objects').select('key').where(isGiven).orderBy('key').forNoKeyUpdate().execute()
  const released = await tx
    .deleteFrom('stored_object_sources')
    .where(isGiven)
    .where(
      sql<boolean>`exists (select from stored_object_sources as r where r.source_key = stored_object_sources.key)`,
    )
    .returning('source_key')
    .execute()
  await tx
    .updateTable('stored_objects')
    .set({ deleted_at: sql`now()` })
    .where(isGiven)
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`not exists (select from stored_object_sources as r where r.source_key = stored_objects.key)`,
    )
    .execute()
  await keepOwnFiles(tx, keys)
  if (released.length > 0)
    await markIfUnreferenced(
      tx,
      released.map(({ source_key }) => source_key),
      await listReferences(tx),
    )
}

/** Reduces objects that are kept without an owner to the files that others use. */
async function keepOwnFiles(tx: Tx, keys: string[]): Promise<void> {
  await sql`
    update stored_objects set segments = own.segments, ranges = null, size_bytes = own.bytes, shared_bytes = -own.bytes,
      shared_in = coalesce(shared_in, (
        select user_object.shared_in from stored_object_sources as source
          join stored_objects as user_object on user_object.key = source.key
        where source.source_key = stored_objects.key and user_object.shared_in is not null limit 1
      ), (
        select application_id from stored_object_sources as source
          join pending_upload_files on pending_upload_files.id = pending_upload_file_id
          join pending_uploads on pending_uploads.id = pending_upload_id
        where source.source_key = stored_objects.key limit 1
      ))
    from (
      select key, coalesce(jsonb_agg(segment order by index), '[]') as segments,
        coalesce(sum((segment ->> 'sizeBytes')::bigint), 0)::bigint as bytes
      from stored_objects, jsonb_array_elements(segments) with ordinality as part (segment, index)
      where key = any(${keys}) and deleted_at is null and not segment ? 'key'
      group by key
    ) as own
    where own.key = stored_objects.key`.execute(tx)
}
