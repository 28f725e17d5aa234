import { sql } from 'kysely'
import { selectIsReachable } from '../../access/application.db.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Actor } from '../../http/endpoint/actor.ts'
import { uuidPattern } from '../../lib/ids.ts'
import { notFound, problem } from '../../lib/problem.ts'
import { storeIdOf } from '../../storage/custom/store-key.ts'
import type { StagedPart } from '../../storage/driver.ts'
import { releaseUploadSources } from '../../storage/objects/object-sources.db.ts'
import { leaseHasLapsed } from './upload-lease.db.ts'
import type { BuildDraft } from './upload-request.ts'

const uuid = new RegExp(uuidPattern, 'i')

export type UploadState = 'requested' | 'verifying' | 'verified' | 'aborted' | 'expired'

export type PendingFile = {
  id: string
  role: 'primary' | 'expansion' | 'metadata'
  filename: string
  size_bytes: number
  content_type: string
  filetype: string
  object_key: string
  multipart_id: string | null
  number_of_parts: number | null
  part_size_mb: number | null
  chosen_parts: StagedPart[] | null
  /** Set if the file is composed: the number of bytes that the client sends. */
  new_bytes: number | null
}

export type MetadataDraft = { filename: string }

export type PendingUpload = {
  id: string
  kind: 'build' | 'metadata'
  workspace_id: string
  application_id: string
  state: UploadState
  draft: BuildDraft | MetadataDraft
  stream_id: string | null
  build_id: string | null
  for_pending_upload_id: string | null
  artifact_id: string | null
  created_at: string
  last_activity_at: string
  expires_at: string
  has_expired: boolean
  lease_has_lapsed: boolean
  /** Whether the upload is in state `requested` and its last activity was more than a minute ago. */
  is_idle: boolean
  files: PendingFile[]
}

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
  /** The address of the storage of the service. */
  storageAddress: string
  files: Omit<PendingFile, 'multipart_id' | 'chosen_parts' | 'new_bytes'>[]
}

export const hoursFromNow = (hours: number) => sql<string>`now() + make_interval(hours => ${hours}::int)`

/** Inserts the upload and its files in one statement. */
export async function insertPendingUpload(db: Executor, upload: NewUpload): Promise<void> {
  const rows = upload.files.map((file) => ({
    pending_upload_id: upload.id,
    store_id: storeIdOf(file.object_key),
    storage_address: storeIdOf(file.object_key) === null ? upload.storageAddress : null,
    ...file,
  }))
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
          expires_at: hoursFromNow(upload.ttlHours),
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

export function selectUploads(db: Executor) {
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
      'created_at',
      'last_activity_at',
      'expires_at',
      sql<boolean>`state = 'requested' and expires_at <= now()`.as('has_expired'),
      leaseHasLapsed.as('lease_has_lapsed'),
      sql<boolean>`state = 'requested' and last_activity_at < now() - interval '1 minute'`.as('is_idle'),
      filesOfUpload.as('files'),
    ])
}

/** Returns the upload; throws the same 404 for an unknown ID, a malformed ID and an upload of another tenant. */
export async function requirePendingUpload(db: Executor, actor: Actor, id: string): Promise<PendingUpload> {
  if (!uuid.test(id)) throw notFound()
  const row = await selectUploads(db)
    .where('id', '=', id.toLowerCase())
    .where('workspace_id', '=', actor.workspaceId)
    .where(
      sql<boolean>`exists (select from applications a where a.id = application_id and a.deleted_at is null)`,
    )
    .where(selectIsReachable(actor, 'pending_uploads.application_id'))
    .executeTakeFirstOrThrow(notFound)
  return row as PendingUpload
}

/** Throws 400 if the upload was aborted and 410 if it has expired. */
export function requireAlive(upload: PendingUpload): void {
  if (upload.state === 'aborted') throw uploadAborted()
  if (upload.state === 'expired' || upload.has_expired) throw uploadExpired()
}

export const uploadAborted = problem(
  'bad_request',
  'upload.aborted',
  'This upload was aborted. Request a new one.',
)

export const uploadExpired = problem('gone', 'upload.expired', 'This upload has expired. Request a new one.')

export const beingVerified = problem(
  'bad_request',
  'upload.verifying',
  'This upload is being verified. Try again shortly.',
  { hasSeveralStatuses: true },
)

/** Postpones the expiry of an active upload, at most once a minute. */
export async function recordUploadActivity(
  db: Executor,
  { id, is_idle }: Pick<PendingUpload, 'id' | 'is_idle'>,
  ttlHours: number,
): Promise<void> {
  if (!is_idle) return
  await db
    .updateTable('pending_uploads')
    .set({ last_activity_at: sql`now()`, expires_at: hoursFromNow(ttlHours) })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .execute()
}

/**
 * Stores the multipart ID unless another call has stored one since the file had `previousId`. Returns the stored ID.
 */
export async function saveMultipartId(
  db: Executor,
  { fileId, previousId }: { fileId: string; previousId: string | null },
  multipartId: string,
): Promise<string> {
  const row = await db
    .updateTable('pending_upload_files')
    .set({
      multipart_id: sql`case when multipart_id is not distinct from ${previousId}::text
        then ${multipartId}::text else multipart_id end`,
    })
    .where('id', '=', fileId)
    .returning('multipart_id')
    .executeTakeFirst()
  return row?.multipart_id ?? multipartId
}

/** Aborts the upload; returns false if it was not in state `requested`. */
export async function markUploadAborted(db: Executor, id: string): Promise<boolean> {
  const result = await db
    .updateTable('pending_uploads')
    .set({ state: 'aborted' })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) return false
  await releaseUploadSources(db, id).execute()
  return true
}

/** Moves every unfinished upload from one stream to another. */
export async function moveUploadsOfStream(tx: Tx, fromId: string, toId: string): Promise<void> {
  await tx
    .updateTable('pending_uploads')
    .set({ stream_id: toId })
    .where('stream_id', '=', fromId)
    .where('state', 'in', ['requested', 'verifying'])
    .execute()
}

/** Detaches up to `limit` finished uploads from the stream; returns the number detached. */
export async function detachSomeUploadsOfStream(tx: Tx, streamId: string, limit: number): Promise<number> {
  const some = tx
    .selectFrom('pending_uploads')
    .select('id')
    .where('stream_id', '=', streamId)
    .where('state', 'not in', ['requested', 'verifying'])
    .limit(limit)
  const result = await tx
    .updateTable('pending_uploads')
    .set({ stream_id: null })
    .where('id', 'in', some)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Yields the object keys of the application's uploads that have staged bytes or may still receive bytes. */
export async function* listUnsweptKeysOfApplication(
  db: Executor,
  applicationId: string,
): AsyncGenerator<string> {
  const batchSize = 500
  for (let afterKey = ''; ;) {
    const rows = await db
      .selectFrom('pending_upload_files as f')
      .innerJoin('pending_uploads as u', 'u.id', 'f.pending_upload_id')
      .select('f.object_key')
      .where('u.application_id', '=', applicationId)
      .where('u.state', '<>', 'verified')
      .where('u.swept_at', 'is', null)
      .where('f.object_key', '>', afterKey)
      .orderBy('f.object_key')
      .limit(batchSize)
      .execute()
    for (const { object_key: key } of rows) yield key
    if (rows.length < batchSize) return
    afterKey = rows.at(-1)?.object_key ?? ''
  }
}

/**
 * Deletes up to `limit` uploads of a purged application; returns the number deleted. The caller must have discarded
 * their bytes.
 */
export async function deleteSomeUploadsOfApplication(
  db: Executor,
  applicationId: string,
  limit: number,
): Promise<number> {
  const some = db
    .selectFrom('pending_uploads')
    .select('id')
    .where('application_id', '=', applicationId)
    .limit(limit)
  const result = await db.deleteFrom('pending_uploads').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Deletes up to `limit` aborted or expired uploads whose bytes were deleted more than `days` days ago; returns the
 * number deleted.
 */
export async function deleteSomeSweptUploads(db: Executor, days: number, limit: number): Promise<number> {
  const some = db
    .selectFrom('pending_uploads')
    .select('id')
    .where(sql<boolean>`swept_at < now() - make_interval(days => ${days}::int)`)
    .where('state', 'in', ['aborted', 'expired'])
    .limit(limit)
  const result = await db.deleteFrom('pending_uploads').where('id', 'in', some).executeTakeFirst()
  return Number(result.numDeletedRows)
}
