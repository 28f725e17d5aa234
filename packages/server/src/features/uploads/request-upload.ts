import { Type, type Static } from 'typebox'
import { applicationRef, requireApplication, type ApplicationRef } from '../../access/application.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Actor } from '../../http/actor.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Nullable } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { maxPutUrlSeconds } from '../../storage/driver.ts'
import { findTargetForPlatform } from '../custom-targets/custom-target.db.ts'
import { listAttachedPlatforms } from '../platforms/platform.db.ts'
import { findStreamByName } from '../streams/stream.db.ts'
import { unknownStream } from '../streams/stream.ts'
import { insertPendingUpload, type PendingFile } from './pending-upload.db.ts'
import { draftBuild, maxParts, maxPutBytes, UploadRequest } from './upload-request.ts'

const FileToSend = Type.Object(
  {
    filename: Type.String(),
    presigned_data: Nullable(
      Type.Object(
        {
          url: Type.String(),
          headers: Type.Record(Type.String(), Type.String(), {
            description: 'Headers to send with the PUT request.',
          }),
        },
        { description: 'Signed URL for uploading the whole file with a single PUT; `null` above 5 GiB.' },
      ),
    ),
    chunked_upload: Type.Boolean({ description: 'Whether uploading in parts is recommended.' }),
    chunked_number_parts: Nullable(Type.Integer()),
    chunked_part_size_mb: Nullable(Type.Integer({ description: 'Part size in MiB.' })),
  },
  { title: 'FileToSend' },
)

const RequestedUpload = Type.Object({
  message: Type.String(),
  pending_upload_id: Type.String(),
  primary_file: FileToSend,
  expansion_files: Type.Array(FileToSend),
})

export const requestUpload = endpoint({
  method: 'POST',
  path: '/upload/request',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Request a build upload',
  description:
    'Returns signed URLs for uploading the files. Files above 5 GiB must be uploaded in parts; for smaller files, parts are optional.',
  body: UploadRequest,
  lenient: true,
  creates: true,
  returns: RequestedUpload,
  async handle({ db, actor, body, storage, config }) {
    const applicationId = body.application_id ?? actor.applicationId
    if (applicationId === null) throw invalid({ application_id: ['is required with a workspace key.'] })
    const application = await requireApplication(db, actor, applicationId)
    const { draft, files, errors } = draftBuild(body)
    const owner = applicationRef(application)
    const references = await findReferences(db, owner, body, errors)
    if (Object.keys(errors).length > 0) throw invalid(errors, 'The request body is invalid.')
    draft.custom_target_id = references.customTargetId

    const pendingFiles = files.map((file) => {
      const recommended = recommendParts(file, config)
      return {
        id: uuidV7(),
        object_key: uuidV7(),
        ...file,
        number_of_parts: recommended?.numberOfParts ?? null,
        part_size_mb: recommended?.partSizeMb ?? null,
      }
    })
    const id = uuidV7()
    const streamGone = () => invalid({ stream: [unknownStream(body.stream)] }, 'The request body is invalid.')
    await conflictsAs({ pending_uploads_stream_id_application_id_fkey: streamGone }, () =>
      insertPendingUpload(db, {
        id,
        kind: 'build',
        ...owner,
        draft,
        streamId: references.streamId,
        buildId: null,
        forPendingUploadId: null,
        apiKeyId: actor.keyId,
        ttlHours: config.uploadTtlHours,
        files: pendingFiles,
      }),
    )
    const [primary, ...expansions] = await Promise.all(
      pendingFiles.map((file) => toFileToSend(storage, actor, file)),
    )
    if (primary === undefined) throw new Error('upload without a primary file')
    return {
      message: 'Upload requested.',
      pending_upload_id: id,
      primary_file: primary,
      expansion_files: expansions,
    }
  },
})

/** Resolves the stream, platform and custom target of the request; adds an error for each that cannot be used. */
async function findReferences(
  db: Db,
  owner: ApplicationRef,
  body: { stream: string; platform: string; custom_target?: string },
  errors: Record<string, string[]>,
) {
  const [stream, attached] = await Promise.all([
    findStreamByName(db, owner.applicationId, body.stream),
    listAttachedPlatforms(db, owner.applicationId),
  ])
  if (stream === undefined) errors['stream'] = [unknownStream(body.stream)]
  if (errors['platform'] === undefined && !attached.includes(body.platform))
    errors['platform'] = [
      `"${body.platform}" is not attached to this application. Attached platforms: ${attached.join(', ')}.`,
    ]
  let customTargetId: string | null = null
  if (body.custom_target !== undefined) {
    const selection = { idOrName: body.custom_target, platform: body.platform }
    const found = await findTargetForPlatform(db, owner, selection)
    if ('reason' in found) errors['custom_target'] = [found.reason]
    else customTargetId = found.id
  }
  return { streamId: stream?.id ?? null, customTargetId }
}

const mebibyte = 1024 * 1024

/** Returns the recommended number of parts and their size in MiB, or null if a single PUT is recommended. */
function recommendParts(
  file: { role: string; size_bytes: number },
  { chunkThresholdMb, partSizeMb }: { chunkThresholdMb: number; partSizeMb: number },
): { numberOfParts: number; partSizeMb: number } | null {
  // Existing clients send an expansion file in parts only when a single PUT is impossible.
  const threshold = file.role === 'primary' ? chunkThresholdMb * mebibyte : maxPutBytes + 1
  if (file.size_bytes < Math.min(threshold, maxPutBytes + 1)) return null
  const size = Math.max(partSizeMb, Math.ceil(file.size_bytes / maxParts / mebibyte))
  return { partSizeMb: size, numberOfParts: Math.ceil(file.size_bytes / (size * mebibyte)) }
}

async function toFileToSend(
  storage: Deps['storage'],
  actor: Actor,
  file: Omit<PendingFile, 'multipart_id' | 'chosen_parts'>,
): Promise<Static<typeof FileToSend>> {
  const { object_key: key, size_bytes: sizeBytes, filename, content_type: contentType } = file
  const options = { expiresInSeconds: maxPutUrlSeconds, callerId: actor.keyId ?? '' }
  return {
    filename,
    presigned_data:
      sizeBytes > maxPutBytes
        ? null
        : await storage.signPut({ key, sizeBytes, filename, contentType }, options),
    chunked_upload: file.number_of_parts !== null,
    chunked_number_parts: file.number_of_parts,
    chunked_part_size_mb: file.part_size_mb,
  }
}
