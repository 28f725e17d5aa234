import { Type, type Static } from 'typebox'
import { sendsChunkedParts } from '../../catalog/upload-sources.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { Timestamp } from '../../http/endpoint/fields.ts'
import { problem } from '../../lib/problem.ts'
import { isoMicroseconds } from '../../lib/time.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { bytesToSend } from './file-to-send.ts'
import {
  recordUploadActivity,
  requireAlive,
  requirePendingUpload,
  saveMultipartId,
  uploadAborted,
  uploadExpired,
  type PendingFile,
  type PendingUpload,
} from './pending-upload.db.ts'
import { maxFileBytes, maxParts, maxPutBytes } from './upload-request.ts'

const urlLifetimeSeconds = 60 * 60

const PartRequest = Type.Object(
  {
    pending_upload_id: Type.String({ maxLength: 100 }),
    part_number: Type.Integer({ minimum: 1, maximum: maxParts }),
    content_length: Type.Integer({
      minimum: 1,
      maximum: maxFileBytes,
      description: 'Size of this part in bytes. The signed URL accepts exactly this length.',
    }),
  },
  { title: 'PartRequest' },
)

const SignedPart = Type.Object({
  message: Type.String(),
  part_number: Type.Integer(),
  part_presigned_url: Type.String(),
  expires_at: Timestamp,
})

type PartRequest = Static<typeof PartRequest>

const verifying = problem(
  'unavailable',
  'upload.verifying',
  'This upload is being verified. Try again shortly.',
  { retryAfterSeconds: 2, hasSeveralStatuses: true },
)

const acceptsNoParts = problem(
  'bad_request',
  'upload.verified',
  'This upload has been verified and accepts no more parts. Request a new one.',
)

const noSuchFile = problem(
  'bad_request',
  'upload.no_such_file',
  'This upload has no {role} file. Request URLs only for the files in the upload request.',
)

const partTooLarge = problem(
  'bad_request',
  'upload.part_too_large',
  'Part {number} of "{filename}" must be at most {maxBytes} bytes.',
)

const sealed = problem(
  'conflict',
  'upload.sealed',
  '"{filename}" is complete and accepts no more parts. Verify the upload again.',
)

const partEndpoint = {
  method: 'POST',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  body: PartRequest,
  lenient: true,
  budget: 'uploads',
  refuses: [
    acceptsNoParts,
    noSuchFile,
    partTooLarge,
    sealed,
    verifying,
    uploadAborted,
    uploadExpired,
    ...storageProblems,
  ],
  returns: SignedPart,
} as const

export const requestUploadPart = endpoint({
  ...partEndpoint,
  path: '/upload/request/multipart',
  summary: 'Create a part upload URL',
  description:
    'Returns a signed URL for uploading one part of the primary file of a build, or of a metadata artifact. Parts can be uploaded in parallel and in any order. Each call for the same part returns a new URL.',
  handle: (call) => signPart(call, 'primary', call.body),
})

export const requestExpansionUploadPart = endpoint({
  ...partEndpoint,
  path: '/upload/request/multipart/expansion',
  summary: 'Create an expansion part upload URL',
  description:
    'Returns a signed URL for uploading one part of the expansion file. Parts can be uploaded in parallel and in any order. Each call for the same part returns a new URL.',
  handle: (call) => signPart(call, 'expansion', call.body),
})

async function signPart(call: Call, role: PendingFile['role'], part: PartRequest) {
  const { db, actor, storage, clock, config } = call
  const upload = await requirePendingUpload(db, actor, part.pending_upload_id)
  requireAlive(upload)
  if (upload.state === 'verified') throw acceptsNoParts()
  const file = upload.files.find((candidate) => candidate.role === role) ?? artifactOf(upload, role)
  if (file === undefined) throw noSuchFile({ role })
  requirePartFits(file, part)
  await recordUploadActivity(db, upload, config.uploadTtlHours)
  const url = await storage.signPart(toStagedFile(file), {
    multipartId: await requireMultipartId(call, upload.id, file),
    partNumber: part.part_number,
    sizeBytes: part.content_length,
    expiresInSeconds: urlLifetimeSeconds,
    callerId: actor.id ?? '',
    isChunked: 'build_source' in upload.draft && sendsChunkedParts(upload.draft.build_source),
  })
  const expiresAt = new Date(clock.now().getTime() + urlLifetimeSeconds * 1000)
  return {
    message: 'Part upload URL created.',
    part_number: part.part_number,
    part_presigned_url: url,
    expires_at: isoMicroseconds(expiresAt),
  }
}

/** Returns the only file of a metadata upload, whose parts are requested like those of a primary file. */
const artifactOf = ({ kind, files }: PendingUpload, role: PendingFile['role']): PendingFile | undefined =>
  kind === 'metadata' && role === 'primary' ? files[0] : undefined

const toStagedFile = (file: PendingFile) => ({
  key: file.object_key,
  sizeBytes: file.size_bytes,
  filename: file.filename,
  contentType: file.content_type,
})

function requirePartFits(file: PendingFile, { part_number, content_length }: PartRequest): void {
  const maxBytes = Math.min(bytesToSend(file), maxPutBytes)
  if (content_length > maxBytes)
    throw partTooLarge({ number: part_number, filename: file.filename, maxBytes })
}

/**
 * Returns the file's multipart ID. Opens a multipart upload for the first requested part, or if the store has deleted the
 * previous one with its parts, which verify then reports as missing. If requests are concurrent, all of them use the ID
 * that is stored first. Throws `upload.sealed` if a verify call has sealed the file.
 */
async function requireMultipartId({ db, actor, storage }: Call, id: string, file: PendingFile) {
  const { id: fileId, object_key: key, multipart_id: previousId } = file
  const isOpen = previousId !== null && (await storage.hasMultipart(key, previousId))
  // A completed upload no longer exists either. Parts of another one could not change the sealed file.
  const mayBeSealed = file.chosen_parts !== null || (previousId !== null && !isOpen)
  if (mayBeSealed && (await storage.findSealed(key)) !== undefined) throw sealed({ filename: file.filename })
  if (isOpen) return previousId
  if (previousId !== null) {
    const current = await requirePendingUpload(db, actor, id)
    if (current.state === 'verifying' && !current.lease_has_lapsed) throw verifying()
    // The store may still be completing an upload whose parts were chosen.
    if (current.files.some((candidate) => candidate.id === fileId && candidate.chosen_parts === null))
      await storage.abortMultipart(key, previousId)
  }
  return saveMultipartId(db, { fileId, previousId }, await storage.openMultipart(toStagedFile(file)))
}
