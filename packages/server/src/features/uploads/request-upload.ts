import { Type } from 'typebox'
import { applicationRef } from '../../access/application.db.ts'
import { sendsChunkedParts } from '../../catalog/upload-sources.ts'
import type { Config } from '../../config/config.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { apiKeyId, onlyApplicationId } from '../../http/endpoint/actor.ts'
import { endpoint, type ValidPart } from '../../http/endpoint/endpoint.ts'
import { invalid, type FieldErrors } from '../../http/endpoint/validation.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound, problem } from '../../lib/problem.ts'
import { newStorageKey } from '../../storage/custom/store-key.ts'
import { spaceProblems } from '../../storage/objects/free-space.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { findTargetForPlatform } from '../custom-targets/custom-target.db.ts'
import { listAttachedPlatforms } from '../platforms/platform.db.ts'
import { listStreamNames } from '../streams/stream.db.ts'
import { unknownStream } from '../streams/stream.ts'
import { draftBuild, draftFiles } from './draft-build.ts'
import { FileToSend, presignedData, toFileToSend } from './file-to-send.ts'
import { uploadProgress } from './get-upload.ts'
import { replaceUploadDraft } from './open-upload.db.ts'
import {
  beingVerified,
  insertPendingUpload,
  requireAlive,
  requirePendingUpload,
  uploadAborted,
  uploadExpired,
  type PendingFile,
  type PendingUpload,
} from './pending-upload.db.ts'
import { recommendParts } from './recommend-parts.ts'
import { requireUploadReferences } from './upload-references.db.ts'
import { UploadRequest, type DraftFile } from './upload-request.ts'
import { uploadRuleErrors } from './upload-rules.ts'

const RequestedUpload = Type.Object({
  message: Type.String(),
  pending_upload_id: Type.String(),
  primary_file: FileToSend,
  expansion_files: Type.Array(FileToSend),
  primary_presigned_data: presignedData(
    'Deprecated copy of `primary_file.presigned_data` for older clients.',
    {
      deprecated: true,
    },
  ),
})

const alreadyVerified = problem(
  'bad_request',
  'upload.verified',
  'This upload has been verified. Request a new one.',
)

const hasOtherFiles = problem(
  'bad_request',
  'upload.other_files',
  'The upload in `resume_pending_upload_id` is for other files or another platform. Request a new upload.',
)

export const requestUpload = endpoint({
  method: 'POST',
  path: '/upload/request',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Request a build upload',
  description:
    'Returns signed URLs for uploading the files, or 507 if the server does not have enough disk space for them. Files above 5 GiB must be uploaded in parts; for smaller files, parts are optional.',
  body: UploadRequest,
  lenient: true,
  creates: true,
  refuses: [
    beingVerified,
    alreadyVerified,
    hasOtherFiles,
    uploadAborted,
    uploadExpired,
    ...spaceProblems,
    ...storageProblems,
  ],
  returns: RequestedUpload,
  async check({ db, actor, body }) {
    const errors = uploadRuleErrors(body)
    const { resume_pending_upload_id: resumedId } = body
    const resumed = resumedId === undefined ? undefined : await requirePendingUpload(db, actor, resumedId)
    const applicationId = body.application_id ?? onlyApplicationId(actor)
    if (applicationId === null) {
      errors['application_id'] = ['is required unless you use an application key.']
      return { errors }
    }
    const { stream = '', platform = '', labels = [] } = body
    const named = { stream, platform, labels: labels.filter((label) => label !== undefined) }
    const found = await requireUploadReferences(db, { actor, applicationId, ...named })
    if (resumed !== undefined && resumed.application_id !== applicationId) throw notFound()
    const references = await checkReferences(db, found, body, errors)
    const { store_id: storeId } = found
    return { errors, found: { owner: applicationRef(found), storeId, resumed, references } }
  },
  async handle({ db, actor, body, storage, hostedStorage, config, owner, storeId, resumed, references }) {
    const draft = draftBuild(body, references)
    const streamGone = () => invalid({ stream: [unknownStream(body.stream)] }, 'The request body is invalid.')
    const { id, files } = await conflictsAs(
      { pending_uploads_stream_id_application_id_fkey: streamGone },
      async () => {
        const { streamId } = references
        const { uploadTtlHours: ttlHours } = config
        if (resumed !== undefined) {
          requireResumable(resumed, body)
          const { files } = (await uploadProgress(storage, resumed)).status
          await requireRoom(
            storage,
            resumed.files,
            sum(files.map((file) => file.size_bytes - file.received_bytes)),
          )
          if (!(await replaceUploadDraft(db, resumed.id, { draft, streamId, ttlHours })))
            throw beingVerified()
          return resumed
        }
        const upload = { id: uuidV7(), files: newFiles(body, config, storeId) }
        await requireRoom(storage, upload.files, sum(upload.files.map((file) => file.size_bytes)))
        await insertPendingUpload(db, {
          ...upload,
          ...owner,
          kind: 'build',
          draft,
          streamId,
          buildId: null,
          forPendingUploadId: null,
          apiKeyId: apiKeyId(actor),
          ttlHours,
          storageAddress: hostedStorage.identity.address,
        })
        return upload
      },
    )
    const [primary, ...expansions] = await Promise.all(
      files.map((file) => toFileToSend(storage, actor, file)),
    )
    if (primary === undefined) throw new Error('upload without a primary file')
    return {
      message: 'Upload requested.',
      pending_upload_id: id,
      primary_file: primary,
      expansion_files: expansions,
      primary_presigned_data: primary.presigned_data,
    }
  },
})

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Throws unless the store of the files accepts the missing bytes. An upload without any can be verified regardless. */
async function requireRoom(
  storage: Deps['storage'],
  [first]: readonly Pick<PendingFile, 'object_key'>[],
  missingBytes: number,
): Promise<void> {
  if (first !== undefined && missingBytes > 0) await storage.requireSpace(first.object_key, missingBytes)
}

function newFiles(body: UploadRequest, config: Config, storeId: string | null) {
  const isInBucket = storeId !== null || config.storage.kind === 's3'
  const prefersWhole = isInBucket && sendsChunkedParts(body.source)
  return draftFiles(body).map((file) => {
    const recommended = recommendParts(file, { ...config, prefersWhole })
    return {
      id: uuidV7(),
      object_key: newStorageKey(storeId),
      ...file,
      new_bytes: null,
      number_of_parts: recommended?.numberOfParts ?? null,
      part_size_mb: recommended?.partSizeMb ?? null,
    }
  })
}

/** Throws unless the upload is unfinished and has the same files as the request. */
function requireResumable(upload: PendingUpload, body: UploadRequest): void {
  requireAlive(upload)
  if (upload.state === 'verified') throw alreadyVerified()
  const describe = (files: DraftFile[]) =>
    JSON.stringify(
      files.map(({ role, filename, size_bytes, filetype }) => [role, filename, size_bytes, filetype]),
    )
  if (upload.kind !== 'build' || describe(upload.files as DraftFile[]) !== describe(draftFiles(body)))
    throw hasOtherFiles()
}

/** Adds an error for each reference of the request that cannot be used, and returns the others. */
async function checkReferences(
  db: Db,
  found: Awaited<ReturnType<typeof requireUploadReferences>>,
  { stream, platform, custom_target }: ValidPart<UploadRequest>,
  errors: FieldErrors,
) {
  const { id, stream_id: streamId, label_ids: labelIds } = found
  if (stream !== undefined && streamId === null)
    errors['stream'] = [unknownStream(stream, await listStreamNames(db, id))]
  if (platform !== undefined && errors['platform'] === undefined && found.is_attached !== true)
    errors['platform'] = [
      `"${platform}" is not attached to this application. Attached platforms: ${(await listAttachedPlatforms(db, id)).join(', ')}.`,
    ]
  let customTargetId: string | null = null
  if (custom_target !== undefined && platform !== undefined) {
    const target = await findTargetForPlatform(db, applicationRef(found), {
      idOrName: custom_target,
      platform,
    })
    if ('reason' in target) errors['custom_target'] = [target.reason]
    else customTargetId = target.id
  }
  return { streamId, customTargetId, labelIds }
}
