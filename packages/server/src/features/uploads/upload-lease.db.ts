import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { StagedPart } from '../../storage/driver.ts'

export type ChosenParts = { fileId: string; parts: StagedPart[] }[]

const leaseLength = sql<string>`now() + interval '10 seconds'`

/** Takes the right to finish the upload, and keeps what is about to be sealed; false = somebody else has it. */
export async function updateUploadLeased(
  db: Executor,
  id: string,
  leaseId: string,
  chosen: ChosenParts,
): Promise<boolean> {
  const result = await db
    .with('leased', (cte) =>
      cte
        .updateTable('pending_uploads')
        .set({ state: 'verifying', lease_id: leaseId, lease_expires_at: leaseLength })
        .where('id', '=', id)
        .where(
          sql<boolean>`((state = 'requested' and expires_at > now()) or (state = 'verifying' and lease_expires_at <= now()))`,
        )
        .returning('id'),
    )
    .updateTable('pending_upload_files')
    .from(
      sql<{ id: string; parts: unknown }>`(
        select * from jsonb_to_recordset(${JSON.stringify(rows(chosen))}::jsonb) as c(id uuid, parts jsonb))`.as(
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

const rows = (chosen: ChosenParts) => chosen.map(({ fileId, parts }) => ({ id: fileId, parts }))

export async function updateLeaseRenewed(db: Executor, id: string, leaseId: string): Promise<void> {
  await db
    .updateTable('pending_uploads')
    .set({ lease_expires_at: leaseLength })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .execute()
}

/** Gives an upload back that could not be finished, so that it can be mended. */
export async function updateLeaseReleased(db: Executor, id: string, leaseId: string): Promise<void> {
  await db
    .updateTable('pending_uploads')
    .set({ state: 'requested', lease_id: null, lease_expires_at: null })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .execute()
}

/** For the only service on a database: whoever held these leases is gone. */
export async function updateAllLeasesLapsed(db: Executor): Promise<void> {
  await db
    .updateTable('pending_uploads')
    .set({ lease_expires_at: sql`now()` })
    .where('state', '=', 'verifying')
    .execute()
}

/** Ends the upload in a build or an artifact; false = the lease was lost, and nothing may be written. */
export async function updateUploadVerified(
  tx: Tx,
  id: string,
  leaseId: string,
  result: { buildId: string; artifactId: string | null },
): Promise<boolean> {
  const updated = await tx
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

/** Holds the lease until the transaction ends, and says where the upload goes by now; undefined = the lease was lost. */
export async function lockLease(tx: Tx, id: string, leaseId: string) {
  return tx
    .selectFrom('pending_uploads')
    .select('stream_id')
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .forUpdate()
    .executeTakeFirst()
}
