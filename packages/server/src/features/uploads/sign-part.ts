import { Type } from 'typebox'
import type { Call } from '../../http/endpoint.ts'
import { Timestamp } from '../../http/fields.ts'
import { Problem } from '../../lib/problem.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { requirePendingUpload, updateMultipartId, updateUploadActivity } from './pending-upload.db.ts'
import { largestPutBytes, type PendingFile } from './pending-upload.ts'
import { largestFileBytes } from './upload-request.ts'
import { requireOpen } from './upload-state.ts'

const urlLivesSeconds = 60 * 60

export const PartRequest = Type.Object(
  {
    pending_upload_id: Type.String({ maxLength: 100 }),
    part_number: Type.Integer({ minimum: 1, maximum: 10_000 }),
    content_length: Type.Integer({
      minimum: 1,
      maximum: largestFileBytes,
      description: 'Bytes of this part; signed.',
    }),
  },
  { title: 'PartRequest' },
)

export const SignedPart = Type.Object({
  message: Type.String(),
  part_number: Type.Integer(),
  part_presigned_url: Type.String(),
  expires_at: Timestamp,
})

type PartWish = { pending_upload_id: string; part_number: number; content_length: number }

/** A URL for one part of the primary or the expansion file. */
export async function signPart(call: Call, role: PendingFile['role'], wish: PartWish) {
  const { db, actor, storage, clock, config } = call
  const upload = await requirePendingUpload(db, actor, wish.pending_upload_id)
  requireOpen(upload)
  const file = upload.files.find((candidate) => candidate.role === role)
  if (file === undefined) throw bad('upload.no_such_file', `This upload has no ${role} file.`)
  requireFits(file, wish)
  await updateUploadActivity(db, upload, config.uploadTtlHours)
  const url = await storage.signPart(stagedFile(file), {
    multipartId: await requireMultipartId(call, file),
    partNumber: wish.part_number,
    sizeBytes: wish.content_length,
    expiresInSeconds: urlLivesSeconds,
  })
  const expiresAt = new Date(clock.now().getTime() + urlLivesSeconds * 1000)
  return {
    message: 'Part URL created.',
    part_number: wish.part_number,
    part_presigned_url: url,
    expires_at: isoMicroseconds(expiresAt),
  }
}

const stagedFile = (file: PendingFile) => ({
  key: file.object_key,
  sizeBytes: file.size_bytes,
  filename: file.filename,
  contentType: file.content_type,
})

function requireFits(file: PendingFile, { part_number, content_length }: PartWish): void {
  if (content_length > Math.min(file.size_bytes, largestPutBytes))
    throw bad(
      'upload.part_too_large',
      `Part ${part_number} of "${file.filename}" cannot have ${content_length} bytes.`,
    )
}

/** Multipart is opened by the first part asked for; of two at once the first one kept counts. */
async function requireMultipartId({ db, storage }: Call, file: PendingFile): Promise<string> {
  if (file.multipart_id !== null) return file.multipart_id
  return updateMultipartId(db, file.id, await storage.openMultipart(stagedFile(file)))
}

const bad = (code: string, message: string) => new Problem('bad_request', code, message)
