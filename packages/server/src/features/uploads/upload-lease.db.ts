import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { StagedPart } from '../../storage/driver.ts'
import { releaseUploadSources } from '../../storage/objects/object-sources.db.ts'

export type ChosenParts = { fileId: string; parts: StagedPart[] }[]

export const leaseSeconds = 10
// `now()` is the time at which the transaction began. To a transaction that began first and then waited for the row, a
// lease that another transaction has just acquired would appear to expire too late.
const leaseExpiry = sql<string>`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

/** Whether a lease has lapsed, or expires so late that it must have been acquired before the clock was set back. */
export const leaseHasLapsed = sql<boolean>`(state = 'verifying'
  and (lease_expires_at <= clock_timestamp() or lease_expires_at > ${leaseExpiry}))`

/** Acquires the lease and stores the parts about to be sealed; returns false if another caller holds the lease. */
export async function acquireLease(
  db: Executor,
  id: string,
  leaseId: string,
  chosen: ChosenParts,
): Promise<boolean> {
  const rows = chosen.map(({ fileId, parts }) => ({ id: fileId, parts }))
  const result = await db
    .with('leased', (cte) =>
      cte
        .updateTable('pending_uploads')
        .set({ state: 'verifying', lease_id: leaseId, lease_expires_at: leaseExpiry })
        .where('id', '=', id)
        .where(sql<boolean>`((state = 'requested' and expires_at > now()) or ${leaseHasLapsed})`)
        .returning('id'),
    )
    .updateTable('pending_upload_files')
    .from(
      sql<{ id: string; parts: unknown }>`(
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id uuid, parts jsonb))`.as(
        'chosen',
      ),
    )
    .from('leased')
    .set((eb) => ({ chosen_parts: eb.ref('chosen.parts') }))
    .whereRef('pending_upload_files.id', '=', 'chosen.id')
    .whereRef('pending_upload_files.pending_upload_id', '=', 'leased.id')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function renewLease(db: Executor, id: string, leaseId: string): Promise<void> {
  await db
    .updateTable('pending_uploads')
    .set({ lease_expires_at: leaseExpiry })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .execute()
}

/** Resets an upload that could not be finished to state `requested`, so that the client can correct it. */
export async function releaseLease(db: Executor, id: string, leaseId: string): Promise<void> {
  await db
    .updateTable('pending_uploads')
    .set({ state: 'requested', lease_id: null, lease_expires_at: null })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .execute()
}

/**
 * Expires every lease. The caller must be the only service that uses the database, so that no lease is still in use.
 */
export async function expireAllLeases(db: Executor): Promise<void> {
  await db
    .updateTable('pending_uploads')
    .set({ lease_expires_at: sql`now()` })
    .where('state', '=', 'verifying')
    .execute()
}

/** Marks the upload as verified and releases its sources. Returns false if the lease was lost, in which case nothing may be written. */
export async function markUploadVerified(
  tx: Tx,
  id: string,
  leaseId: string,
  result: { buildId: string; artifactId: string | null },
): Promise<boolean> {
  const updated = await tx
    .with('released', (cte) => releaseUploadSources(cte, id))
    .updateTable('pending_uploads')
    .set({
      state: 'verified',
      stream_id: null,
      lease_id: null,
      lease_expires_at: null,
      verified_at: sql`now()`,
      build_id: result.buildId,
      artifact_id: result.artifactId,
    })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** Locks the lease until the transaction ends and returns the current stream, or undefined if the lease was lost. */
export async function lockLease(tx: Tx, id: string, leaseId: string) {
  return tx
    .selectFrom('pending_uploads')
    .select('stream_id')
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .forUpdate()
    .executeTakeFirst()
}
