import { sql } from 'kysely'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { uuidPattern } from '../../lib/ids.ts'
import { notFound } from '../../lib/problem.ts'
import type { MetadataDraft, PendingFile, PendingUpload } from './pending-upload.ts'
import type { BuildDraft } from './upload-draft.ts'

const uuid = new RegExp(uuidPattern, 'i')

type NewUpload = {
  id: string
  kind: 'build' | 'metadata'
  workspaceId: string
  applicationId: string
  draft: BuildDraft | MetadataDraft
  streamId: string | null
  buildId: string | null
  forPendingUploadId: string | null
  apiKeyId: string | null
  ttlHours: number
  files: Omit<PendingFile, 'multipart_id' | 'chosen_parts'>[]
}

const inHours = (hours: number) => sql<string>`now() + make_interval(hours => ${hours}::int)`

/** The upload and its files, in one statement. */
export async function insertPendingUpload(db: Executor, upload: NewUpload): Promise<void> {
  const rows = upload.files.map((file) => ({ pending_upload_id: upload.id, ...file }))
  await db
    .with('upload', (cte) =>
      cte
        .insertInto('pending_uploads')
        .values({
          id: upload.id,
          kind: upload.kind,
          workspace_id: upload.workspaceId,
          application_id: upload.applicationId,
          draft: JSON.stringify(upload.draft),
          stream_id: upload.streamId,
          build_id: upload.buildId,
          for_pending_upload_id: upload.forPendingUploadId,
          api_key_id: upload.apiKeyId,
          expires_at: inHours(upload.ttlHours),
        })
        .returning('id'),
    )
    .insertInto('pending_upload_files')
    .values(rows)
    .execute()
}

const filesOfUpload = sql<PendingFile[]>`(
  select json_agg(f order by f.role <> 'primary', f.id) from pending_upload_files f
  where f.pending_upload_id = pending_uploads.id)`

function selectUploads(db: Executor) {
  return db
    .selectFrom('pending_uploads')
    .select([
      'id',
      'kind',
      'workspace_id',
      'application_id',
      'state',
      'draft',
      'stream_id',
      'build_id',
      'for_pending_upload_id',
      'artifact_id',
      'expires_at',
      sql<boolean>`state = 'requested' and expires_at <= now()`.as('has_expired'),
      sql<boolean>`state = 'verifying' and lease_expires_at <= now()`.as('lease_has_lapsed'),
      sql<boolean>`state = 'requested' and last_activity_at < now() - interval '1 minute'`.as('is_idle'),
      filesOfUpload.as('files'),
    ])
}

/** The upload, if the caller may see it; the same answer for a foreign, an unknown and a malformed id. */
export async function requirePendingUpload(db: Executor, actor: Actor, id: string): Promise<PendingUpload> {
  if (!uuid.test(id)) throw notFound()
  const row = await selectUploads(db)
    .where('id', '=', id.toLowerCase())
    .where('workspace_id', '=', actor.workspaceId)
    .where(
      sql<boolean>`exists (select from applications a where a.id = application_id and a.deleted_at is null)`,
    )
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  if (actor.applicationId !== null && row.application_id !== actor.applicationId) throw notFound()
  return row as PendingUpload
}

/** Keeps an upload that is being worked on alive; writes at most once a minute. */
export async function updateUploadActivity(
  db: Executor,
  { id, is_idle }: Pick<PendingUpload, 'id' | 'is_idle'>,
  ttlHours: number,
): Promise<void> {
  if (!is_idle) return
  await db
    .updateTable('pending_uploads')
    .set({ last_activity_at: sql`now()`, expires_at: inHours(ttlHours) })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .execute()
}

/** Keeps the first multipart id of a file, and answers the one that is kept. */
export async function updateMultipartId(db: Executor, fileId: string, multipartId: string): Promise<string> {
  const row = await db
    .updateTable('pending_upload_files')
    .set((eb) => ({ multipart_id: eb.fn.coalesce('multipart_id', eb.val(multipartId)) }))
    .where('id', '=', fileId)
    .returning('multipart_id')
    .executeTakeFirst()
  return row?.multipart_id ?? multipartId
}

/** True when the upload was waiting and is now aborted. */
export async function updateUploadAborted(db: Executor, id: string): Promise<boolean> {
  const result = await db
    .updateTable('pending_uploads')
    .set({ state: 'aborted' })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Uploads past their time, a few hundred at once; the next run takes the rest. */
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

export async function listUnsweptUploads(db: Executor): Promise<PendingUpload[]> {
  const rows = await selectUploads(db)
    .where('state', 'in', ['aborted', 'expired'])
    .where('swept_at', 'is', null)
    .orderBy('id')
    .limit(500)
    .execute()
  return rows as PendingUpload[]
}

/** False when the upload was worked on, or verified, in the meantime. */
export async function updateUploadExpired(db: Executor, id: string): Promise<boolean> {
  const result = await db
    .updateTable('pending_uploads')
    .set({ state: 'expired', lease_id: null, lease_expires_at: null })
    .where('id', '=', id)
    .where('expires_at', '<=', sql<string>`now()`)
    .where(
      sql<boolean>`(state = 'requested' or (state = 'verifying' and lease_expires_at < now() - interval '1 hour'))`,
    )
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function updateUploadKeptAlive(db: Executor, id: string, ttlHours: number): Promise<void> {
  await db
    .updateTable('pending_uploads')
    .set({ expires_at: inHours(ttlHours) })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .execute()
}

export async function updateUploadSwept(db: Executor, id: string): Promise<void> {
  await db
    .updateTable('pending_uploads')
    .set({ swept_at: sql`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['aborted', 'expired'])
    .execute()
}

/** Which of the keys belong to an upload, in whatever state. */
export async function listKnownKeys(db: Executor, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('pending_upload_files')
    .select('object_key')
    .where(sql<boolean>`object_key = any(${keys})`)
    .execute()
  return new Set(rows.map(({ object_key }) => object_key))
}

/** Lets every unfinished upload to one stream end in another. */
export async function updateUploadsOfStream(tx: Tx, from: string, to: string): Promise<void> {
  await tx
    .updateTable('pending_uploads')
    .set({ stream_id: to })
    .where('stream_id', '=', from)
    .where('state', 'in', ['requested', 'verifying'])
    .execute()
}

/** Lets so many uploads that ended long ago forget their stream; answers how many. */
export async function updateSomeUploadsForgotten(tx: Tx, streamId: string, most: number): Promise<number> {
  const some = tx
    .selectFrom('pending_uploads')
    .select('id')
    .where('stream_id', '=', streamId)
    .where('state', 'not in', ['requested', 'verifying'])
    .limit(most)
  const result = await tx
    .updateTable('pending_uploads')
    .set({ stream_id: null })
    .where('id', 'in', some)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Uploads of an application that goes; answers how many went. Their bytes are swept as orphans. */
export async function deleteSomeUploadsOfApplication(
  db: Executor,
  applicationId: string,
  most: number,
): Promise<number> {
  const some = db
    .selectFrom('pending_uploads')
    .select('id')
    .where('application_id', '=', applicationId)
    .limit(most)
  const result = await db.deleteFrom('pending_uploads').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Uploads that ended in nothing and were swept so many days ago; answers how many went. */
export async function deleteSomeSweptUploads(db: Executor, days: number, most: number): Promise<number> {
  const some = db
    .selectFrom('pending_uploads')
    .select('id')
    .where(sql<boolean>`swept_at < now() - make_interval(days => ${days}::int)`)
    .where('state', 'in', ['aborted', 'expired'])
    .limit(most)
  const result = await db.deleteFrom('pending_uploads').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
