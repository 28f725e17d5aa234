import { Type } from 'typebox'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Nullable, PathId, SizeBytes, Timestamp } from '../../http/endpoint/fields.ts'
import { one } from '../../http/endpoint/responses.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { bytesToSend } from './file-to-send.ts'
import {
  requirePendingUpload,
  type PendingFile,
  type PendingUpload,
  type UploadState,
} from './pending-upload.db.ts'
import { listStoredParts } from './stored-parts.ts'

export const UploadStatus = Type.Object(
  {
    pending_upload_id: Type.String(),
    state: Type.Enum(['requested', 'verifying', 'verified', 'aborted', 'expired']),
    build_id: Nullable(Type.String()),
    expires_at: Timestamp,
    files: Type.Array(
      Type.Object({
        role: Type.Enum(['primary', 'expansion', 'metadata']),
        filename: Type.String(),
        size_bytes: SizeBytes,
        received_bytes: Type.Integer({
          minimum: 0,
          description:
            'Size of the stored parts, of the data that this server is receiving and of `reused_bytes`, at most `size_bytes`. Data that is being sent to S3 or to another server is counted once its part is stored.',
        }),
        reused_bytes: Type.Integer({
          minimum: 0,
          description: 'Number of bytes that are taken from other files and not sent.',
        }),
        chunked_upload: Type.Boolean(),
        chunked_number_parts: Nullable(Type.Integer()),
        chunked_part_size_mb: Nullable(Type.Integer()),
        stored: Type.Boolean({ description: 'Whether the whole file was uploaded with a single PUT.' }),
        etag: Nullable(Type.String()),
        parts: Type.Array(
          Type.Object({ part_number: Type.Integer(), etag: Type.String(), size_bytes: SizeBytes }),
          {
            description:
              'The most recent stored attempt of each part. For a verified upload, the parts that make up the file.',
          },
        ),
      }),
    ),
  },
  { title: 'UploadStatus' },
)

export const getUpload = endpoint({
  method: 'GET',
  path: '/upload/:pending_upload_id',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  readsPrimary: true,
  summary: 'Get the status of an upload',
  description:
    'Lists the files and parts that are already stored, so that a client can resume an interrupted upload.',
  params: Type.Object({ pending_upload_id: PathId('ID of the upload.') }),
  budget: 'uploads',
  refuses: [...storageProblems],
  returns: one(UploadStatus),
  async load({ db, actor, params }) {
    return { upload: await requirePendingUpload(db, actor, params.pending_upload_id) }
  },
  async handle({ db, actor, storage, upload }) {
    const status = await uploadStatus(storage, upload)
    const message = 'Upload retrieved.'
    if (!status.files.some(({ stored, parts }) => !stored && parts.length === 0))
      return { message, data: status }
    // A verify call that started in the meantime may have sealed the parts before they were listed.
    const current = await requirePendingUpload(db, actor, upload.id)
    return { message, data: current.state === upload.state ? status : await uploadStatus(storage, current) }
  },
})

/** Returns the state of an upload and which parts of its files are stored. */
async function uploadStatus(storage: StorageDriver, upload: PendingUpload) {
  return (await uploadProgress(storage, upload)).status
}

/**
 * Returns the status of an upload, the time at which its latest part was stored, and whether this process is receiving
 * data for it.
 */
export async function uploadProgress(storage: StorageDriver, upload: PendingUpload) {
  const { id, build_id, expires_at, has_expired } = upload
  const state = has_expired ? 'expired' : upload.state
  const found = await Promise.all(upload.files.map((file) => fileProgress(storage, file, state)))
  const storedAt = found.flatMap(({ stored }) => stored.map((part) => new Date(part.storedAt).getTime()))
  return {
    status: { pending_upload_id: id, state, build_id, expires_at, files: found.map(({ status }) => status) },
    lastStoredAt: storedAt.length === 0 ? undefined : new Date(Math.max(...storedAt)),
    isReceiving: found.some(({ receivingBytes }) => receivingBytes > 0),
  }
}

async function fileProgress(storage: StorageDriver, file: PendingFile, state: UploadState) {
  const isOpen = state === 'requested' || state === 'verifying'
  // After verify, the staged parts no longer exist; the file consists of the chosen parts.
  const chosen = state === 'verified' ? (file.chosen_parts ?? []) : []
  const staged = isOpen ? (await listStoredParts(storage, file)).staged : chosen
  const newest = new Map(staged.map((part) => [part.partNumber, part]))
  const whole = newest.get(0)
  newest.delete(0)
  const receivingBytes = isOpen ? storage.receivedBytes(file.object_key) : 0
  const storedBytes = whole?.sizeBytes ?? [...newest.values()].reduce((sum, part) => sum + part.sizeBytes, 0)
  const reusedBytes = file.size_bytes - bytesToSend(file)
  const status = {
    role: file.role,
    filename: file.filename,
    size_bytes: file.size_bytes,
    // A part that is sent again is counted twice while it is received.
    received_bytes: Math.min(file.size_bytes, reusedBytes + storedBytes + receivingBytes),
    reused_bytes: reusedBytes,
    chunked_upload: file.number_of_parts !== null,
    chunked_number_parts: file.number_of_parts,
    chunked_part_size_mb: file.part_size_mb,
    stored: whole !== undefined,
    etag: whole?.etag ?? null,
    parts: [...newest.values()].map(({ partNumber, etag, sizeBytes }) => ({
      part_number: partNumber,
      etag,
      size_bytes: sizeBytes,
    })),
  }
  return { status, stored: staged, receivingBytes }
}
