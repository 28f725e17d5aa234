import { sql } from 'kysely'
import { selectIsReachable } from '../../access/application.db.ts'
import type { Executor } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { hoursFromNow, selectUploads, type PendingUpload } from './pending-upload.db.ts'
import type { BuildDraft } from './upload-request.ts'

export type OpenUploadFilter = {
  application_id?: string | undefined
  filename?: string | undefined
  size_bytes?: number | undefined
  include_verifying?: boolean | undefined
}

type OpenUpload = PendingUpload & { draft: BuildDraft; stream: string | null }

/**
 * Returns the most recent unfinished build uploads that the caller can access, without those that are being verified
 * unless they are included.
 */
export async function listOpenUploads(
  db: Executor,
  actor: Actor,
  { application_id: applicationId, filename, size_bytes: sizeBytes, include_verifying }: OpenUploadFilter,
  limit: number,
): Promise<OpenUpload[]> {
  let query = selectUploads(db)
    .select(sql<string | null>`(select s.name from streams s where s.id = stream_id)`.as('stream'))
    .where('workspace_id', '=', actor.workspaceId)
    .where('kind', '=', 'build')
    .where('state', 'in', include_verifying === true ? ['requested', 'verifying'] : ['requested'])
    .where(sql<boolean>`(state = 'verifying' or expires_at > now())`)
    .where(
      sql<boolean>`exists (select from applications a where a.id = application_id and a.deleted_at is null)`,
    )
    .where(
      sql<boolean>`exists (select from pending_upload_files f where f.pending_upload_id = pending_uploads.id
        and f.role = 'primary' and f.filename = coalesce(${filename ?? null}::text, f.filename)
        and f.size_bytes = coalesce(${sizeBytes ?? null}::bigint, f.size_bytes))`,
    )
    .where(selectIsReachable(actor, 'pending_uploads.application_id'))
  if (applicationId !== undefined) query = query.where('application_id', '=', applicationId)
  // IDs are version 7 UUIDs, which sort by time.
  return (await query.orderBy('id', 'desc').limit(limit).execute()) as OpenUpload[]
}

/** Replaces the attributes of the future build; returns false if the upload was not in state `requested`. */
export async function replaceUploadDraft(
  db: Executor,
  id: string,
  { draft, streamId, ttlHours }: { draft: BuildDraft; streamId: string | null; ttlHours: number },
): Promise<boolean> {
  const result = await db
    .updateTable('pending_uploads')
    .set({
      draft: JSON.stringify(draft),
      stream_id: streamId,
      last_activity_at: sql`now()`,
      expires_at: hoursFromNow(ttlHours),
    })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Counts the unfinished uploads that may receive files in another storage than `address`. Returns the time at which the
 * last of them expires unless it is continued.
 */
export async function countUploadsElsewhere(
  db: Executor,
  address: string,
): Promise<{ count: number; expiresAt: string | null }> {
  const row = await db
    .selectFrom('pending_uploads as u')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<string | null>`max(greatest(u.expires_at, now()))`.as('expires_at'),
    ])
    .where('u.state', 'in', ['requested', 'verifying'])
    .where(sql<boolean>`(u.state = 'verifying' or u.expires_at > now())`)
    .where(
      sql<boolean>`exists (select from pending_upload_files f where f.pending_upload_id = u.id
        and f.store_id is null and f.storage_address is distinct from ${address})`,
    )
    .executeTakeFirstOrThrow()
  return { count: row.count, expiresAt: row.expires_at }
}
