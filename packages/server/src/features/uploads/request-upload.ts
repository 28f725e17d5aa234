import { conflictsAs } from '../../database/conflicts.ts'
import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { endpoint } from '../../http/endpoint.ts'
import { invalid } from '../../http/validation.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { requireApplication } from '../applications/application.db.ts'
import { findFittingTarget } from '../custom-targets/custom-target.db.ts'
import { listAttachedPlatforms } from '../platforms/platform.db.ts'
import { findStreamByName } from '../streams/stream.db.ts'
import { insertPendingUpload } from './pending-upload.db.ts'
import { chunksFor, largestPutBytes, type PendingFile } from './pending-upload.ts'
import { draftFrom } from './upload-draft.ts'
import { RequestedUpload, UploadRequest, type FileToSend } from './upload-request.ts'

const urlLivesSeconds = 6 * 60 * 60

export const requestUpload = endpoint({
  method: 'POST',
  path: '/upload/request',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Start the upload of a build',
  description:
    'Answers where to PUT the bytes. Above 5 GiB only parts are possible; below they are a choice.',
  body: UploadRequest,
  lenient: true,
  creates: true,
  returns: RequestedUpload,
  async handle({ db, actor, body, storage, config }) {
    const applicationId = body.application_id ?? actor.applicationId
    if (applicationId === null) throw invalid({ application_id: ['is required with a workspace key.'] })
    const application = await requireApplication(db, actor, applicationId)
    const { draft, files, errors } = draftFrom(body)
    const owner = { applicationId: application.id, workspaceId: application.workspace_id }
    const named = await findNamed(db, owner, body, errors)
    if (Object.keys(errors).length > 0) throw invalid(errors, 'The given data was invalid.')
    draft.custom_target_id = named.customTargetId

    const pendingFiles = files.map((file) => {
      const chunks = chunksFor(file, config)
      return {
        id: uuidV7(),
        object_key: uuidV7(),
        ...file,
        number_of_parts: chunks?.numberOfParts ?? null,
        part_size_mb: chunks?.partSizeMb ?? null,
      }
    })
    const id = uuidV7()
    const streamGone = () =>
      invalid(
        { stream: [`"${body.stream}" is not a stream of this application.`] },
        'The given data was invalid.',
      )
    await conflictsAs({ pending_uploads_stream_id_application_id_fkey: streamGone }, () =>
      insertPendingUpload(db, {
        id,
        kind: 'build',
        ...owner,
        draft,
        streamId: named.streamId,
        buildId: null,
        forPendingUploadId: null,
        apiKeyId: actor.keyId,
        ttlHours: config.uploadTtlHours,
        files: pendingFiles,
      }),
    )
    const [primary, ...expansions] = await Promise.all(pendingFiles.map((file) => fileToSend(storage, file)))
    if (primary === undefined) throw new Error('an upload without a primary file')
    return {
      message: 'Upload requested.',
      pending_upload_id: id,
      primary_file: primary,
      expansion_files: expansions,
    }
  },
})

/** What the request names and only the database knows: stream, attached platform, custom target. */
async function findNamed(
  db: Db,
  owner: { applicationId: string; workspaceId: string },
  body: { stream: string; platform: string; custom_target?: string },
  errors: Record<string, string[]>,
) {
  const [stream, attached] = await Promise.all([
    findStreamByName(db, owner.applicationId, body.stream),
    listAttachedPlatforms(db, owner.applicationId),
  ])
  if (stream === undefined) errors['stream'] = [`"${body.stream}" is not a stream of this application.`]
  if (errors['platform'] === undefined && !attached.includes(body.platform))
    errors['platform'] = [
      `"${body.platform}" is not attached to this application; it has: ${attached.join(', ')}.`,
    ]
  let customTargetId: string | null = null
  if (body.custom_target !== undefined) {
    const wish = { idOrName: body.custom_target, platform: body.platform }
    const found = await findFittingTarget(db, owner, wish)
    if ('wrong' in found) errors['custom_target'] = [found.wrong]
    else customTargetId = found.id
  }
  return { streamId: stream?.id ?? null, customTargetId }
}

async function fileToSend(
  storage: Deps['storage'],
  file: Omit<PendingFile, 'multipart_id' | 'chosen_parts'>,
): Promise<FileToSend> {
  const { object_key: key, size_bytes: sizeBytes, filename, content_type: contentType } = file
  const options = { expiresInSeconds: urlLivesSeconds }
  return {
    filename,
    presigned_data:
      sizeBytes > largestPutBytes
        ? null
        : await storage.signPut({ key, sizeBytes, filename, contentType }, options),
    chunked_upload: file.number_of_parts !== null,
    chunked_number_parts: file.number_of_parts,
    chunked_part_size_mb: file.part_size_mb,
  }
}
