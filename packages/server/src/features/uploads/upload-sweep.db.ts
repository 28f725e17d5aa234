import { sql } from 'kysely'
import type { Executor } from '../../database/transaction.ts'
import { releaseUploadSources } from '../../storage/objects/object-sources.db.ts'
import { hoursFromNow, selectUploads, type PendingUpload } from './pending-upload.db.ts'

/** Lists up to 500 unfinished uploads whose expiry time has passed. The next run handles the rest. */
export async function listExpiredUploads(db: Executor): Promise<PendingUpload[]> {
  const rows = await selectUploads(db)
    .where('state', 'in', ['requested', 'verifying'])
    .where('expires_at', '<=', sql<string>`now()`)
    .where(sql<boolean>`(state = 'requested' or lease_expires_at < now() - interval '1 hour')`)
    .orderBy('expires_at')
    .limit(500)
    .execute()
  return rows as PendingUpload[]
}

/** Lists up to 500 aborted or expired uploads whose bytes have not been deleted. */
export async function listUnsweptUploads(db: Executor): Promise<PendingUpload[]> {
  const rows = await selectUploads(db)
    .where('state', 'in', ['aborted', 'expired'])
    .where('swept_at', 'is', null)
    .orderBy('id')
    .limit(500)
    .execute()
  return rows as PendingUpload[]
}

/** Expires the upload; returns false if it has been extended or verified since it was listed. */
export async function markUploadExpired(db: Executor, id: string): Promise<boolean> {
  const result = await db
    .updateTable('pending_uploads')
    .set({ state: 'expired', lease_id: null, lease_expires_at: null })
    .where('id', '=', id)
    .where('expires_at', '<=', sql<string>`now()`)
    .where(
      sql<boolean>`(state = 'requested' or (state = 'verifying' and lease_expires_at < now() - interval '1 hour'))`,
    )
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) return false
  await releaseUploadSources(db, id).execute()
  return true
}

export async function extendUploadExpiry(db: Executor, id: string, ttlHours: number): Promise<void> {
  await db
    .updateTable('pending_uploads')
    .set({ expires_at: hoursFromNow(ttlHours) })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .execute()
}

export async function markUploadSwept(db: Executor, id: string): Promise<void> {
  await db
    .updateTable('pending_uploads')
    .set({ swept_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['aborted', 'expired'])
    .execute()
}

/** Returns the keys that belong to an upload, regardless of its state. */
export async function listPendingKeys(db: Executor, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('pending_upload_files')
    .select('object_key')
    .where(sql<boolean>`object_key = any(${keys})`)
    .execute()
  return new Set(rows.map(({ object_key }) => object_key))
}
