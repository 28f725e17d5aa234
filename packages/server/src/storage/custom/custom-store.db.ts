import { sql } from 'kysely'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { inTransaction, type Db, type Executor, type Tx } from '../../database/transaction.ts'

const columns = [
  'id',
  'application_id',
  'is_current',
  'endpoint',
  'region',
  'bucket',
  'prefix',
  'force_path_style',
  'acl',
  'tested_at',
  'created_at',
  'updated_at',
] as const

const sealedColumns = [...columns, 'credentials_encrypted'] as const

/** A custom store without its credentials. */
export type CustomStoreRow = Awaited<ReturnType<typeof listStoresOfApplication>>[number]

export type NewCustomStore = {
  id: string
  application_id: string
  endpoint: string | null
  region: string
  bucket: string
  prefix: string
  force_path_style: boolean
  acl: string | null
  credentials_encrypted: Buffer
}

/** Returns the encryption context that binds sealed credentials to their store. */
export const storeCredentialsContext = (storeId: string): string => `custom store ${storeId}`

/** Lists the stores of an application: the current one first, then the others from newest to oldest. */
export async function listStoresOfApplication(db: Executor, applicationId: string) {
  return db
    .selectFrom('custom_stores')
    .select(columns)
    .where('application_id', '=', applicationId)
    .orderBy('is_current', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Returns the store that is configured for an application, whether or not it is enabled. */
export async function findCurrentStore(db: Executor, applicationId: string) {
  return db
    .selectFrom('custom_stores')
    .select(sealedColumns)
    .where('application_id', '=', applicationId)
    .where('is_current', '=', true)
    .executeTakeFirst()
}

/** Selects the ID of the store for new uploads of an application, unless they go to the storage of the service. */
export const selectUploadStoreId = (db: Executor, applicationId: string) =>
  db
    .selectFrom('custom_stores')
    .innerJoin('applications as owner', 'owner.id', 'custom_stores.application_id')
    .select('custom_stores.id')
    .where('custom_stores.application_id', '=', applicationId)
    .where('custom_stores.is_current', '=', sql.lit(true))
    .where('owner.custom_store_enabled', '=', sql.lit(true))

/** Returns the ID of the store for new uploads of an application, or null if they go to the storage of the service. */
export async function findUploadStoreId(db: Executor, applicationId: string): Promise<string | null> {
  return (await selectUploadStoreId(db, applicationId).executeTakeFirst())?.id ?? null
}

/** Returns a store with its sealed credentials. */
export async function findStore(db: Executor, id: string) {
  return db.selectFrom('custom_stores').select(sealedColumns).where('id', '=', id).executeTakeFirst()
}

export async function listStoreIds(db: Executor): Promise<string[]> {
  const rows = await db.selectFrom('custom_stores').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** The location of a store and the application that it belongs to, which is null after its deletion. */
export type StoreLocation = {
  id: string
  application_id: string | null
  application: string | null
  endpoint: string | null
  bucket: string
  prefix: string
}

export async function listStoreLocations(db: Executor, ids: readonly string[]): Promise<StoreLocation[]> {
  const { rows } = await sql<StoreLocation>`
    select custom_stores.id, application_id, applications.name as application, endpoint, bucket, prefix
    from custom_stores left join applications on applications.id = application_id
    where custom_stores.id = any(${ids}) order by custom_stores.id`.execute(db)
  return rows
}

/** Lists the different endpoints of the stores to which browsers upload. Buckets are in the host name or in the path. */
export async function listUploadLocations(db: Executor) {
  return db
    .selectFrom('custom_stores')
    .innerJoin('applications', 'applications.id', 'custom_stores.application_id')
    .select(['endpoint', 'region', 'bucket', 'force_path_style'])
    .distinct()
    .where('is_current', '=', true)
    .where('custom_store_enabled', '=', true)
    .limit(200)
    .execute()
}

/** Returns the store at a location, whichever application it belongs to. */
export async function findStoreAt(
  db: Executor,
  { endpoint, bucket, prefix }: Pick<NewCustomStore, 'endpoint' | 'bucket' | 'prefix'>,
) {
  return db
    .selectFrom('custom_stores')
    .select(['id', 'application_id'])
    .where(sql<boolean>`coalesce(endpoint, '') = ${endpoint ?? ''}`)
    .where('bucket', '=', bucket)
    .where('prefix', '=', prefix)
    .executeTakeFirst()
}

/** Inserts a store or replaces the settings of the store with this ID, and makes it the current one of its application. */
export async function saveCurrentStore(tx: Tx, { id, ...store }: NewCustomStore): Promise<void> {
  const current = await findCurrentStore(tx, store.application_id)
  if (current !== undefined && current.id !== id) await retireStore(tx, current.id)
  const { region, force_path_style, acl, credentials_encrypted } = store
  await tx
    .insertInto('custom_stores')
    .values({ id, ...store })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        region,
        force_path_style,
        acl,
        credentials_encrypted,
        is_current: true,
        replaced_at: null,
        tested_at: sql<string>`now()`,
      }),
    )
    .execute()
}

/** Makes a store no longer the current one of its application. */
export async function retireStore(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('custom_stores')
    .set({ is_current: false, replaced_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('is_current', '=', true)
    .execute()
}

/** Returns the number of objects and bytes in each store of an application, excluding those that are being deleted. */
export async function listStoreContents(db: Executor, storeIds: string[]) {
  const { rows } = await sql<{ store_id: string; objects: number; bytes: number }>`
    select store_id, count(*)::int8 as objects, coalesce(sum(size_bytes), 0)::int8 as bytes
    from stored_objects where store_id = any(${storeIds}) and deleted_at is null group by store_id`.execute(
    db,
  )
  return new Map(rows.map(({ store_id, ...content }) => [store_id, content]))
}

/**
 * Lists stores that no application uses for uploads and that contain nothing. An upload that was requested just before a
 * store was replaced may still be inserted, so the store is kept for a day.
 */
export async function listUnusedStoreIds(db: Executor): Promise<string[]> {
  const rows = await db
    .selectFrom('custom_stores')
    .select('id')
    .where(isUnused)
    .orderBy('id')
    .limit(100)
    .execute()
  return rows.map(({ id }) => id)
}

const isUnused = sql<boolean>`(application_id is null or replaced_at < now() - interval '1 day')
  and not exists (select from stored_objects where store_id = custom_stores.id)
  and not exists (select from pending_upload_files where store_id = custom_stores.id)`

/** Deletes a store unless it is used. */
export async function deleteUnusedStore(db: Executor, id: string): Promise<boolean> {
  const result = await db.deleteFrom('custom_stores').where('id', '=', id).where(isUnused).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Re-encrypts the credentials that were sealed with the previous master secret; returns the number of stores updated. */
export async function resealStoreCredentials(db: Db, box: SecretBox): Promise<number> {
  let total = 0
  for (const id of await listStoreIds(db))
    total += await inTransaction(db, async (tx) => {
      const row = await tx
        .selectFrom('custom_stores')
        .select('credentials_encrypted')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      const sealed = row && box.reseal(row.credentials_encrypted, storeCredentialsContext(id))
      if (sealed === undefined) return 0
      await tx
        .updateTable('custom_stores')
        .set({ credentials_encrypted: sealed })
        .where('id', '=', id)
        .execute()
      return 1
    })
  return total
}
