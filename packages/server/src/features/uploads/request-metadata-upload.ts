import { Type, type Static } from 'typebox'
import { metadataFiletypeFor } from '../../catalog/metadata-filetypes.ts'
import { inTransaction, type Db } from '../../database/transaction.ts'
import { apiKeyId, type Actor } from '../../http/endpoint/actor.ts'
import { endpoint } from '../../http/endpoint/endpoint.ts'
import { Nullable } from '../../http/endpoint/fields.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound, problem } from '../../lib/problem.ts'
import { findUploadStoreId } from '../../storage/custom/custom-store.db.ts'
import { newStorageKey } from '../../storage/custom/store-key.ts'
import { maxPutUrlSeconds } from '../../storage/driver.ts'
import { spaceProblems } from '../../storage/objects/free-space.ts'
import { storageProblems } from '../../storage/storage-errors.ts'
import { findReachableBuild } from '../builds/build.db.ts'
import {
  insertPendingUpload,
  requireAlive,
  requirePendingUpload,
  uploadAborted,
  uploadExpired,
} from './pending-upload.db.ts'
import { recommendParts } from './recommend-parts.ts'
import { filenameError } from './upload-request.ts'
import { requireRoomForArtifact, tooManyArtifacts } from './verify-metadata-upload.ts'

/** Leaves room below the limit of 5 GiB for a single PUT, which every client can use. */
const maxArtifactBytes = 2 * 1024 ** 3

const MetadataRequest = Type.Object(
  {
    build_id: Type.Optional(Type.String({ maxLength: 100 })),
    primary_pending_upload_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'ID of the build upload, verified or not. An alternative to `build_id`.',
      }),
    ),
    filename: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'File name without a path, at most 255 bytes. Every file type is accepted.',
    }),
    size_bytes: Type.Integer({ minimum: 1, maximum: maxArtifactBytes }),
  },
  {
    title: 'MetadataRequest',
    examples: [{ build_id: '<build_id>', filename: 'test-report.xml', size_bytes: 2048 }],
  },
)

const notABuildUpload = problem(
  'bad_request',
  'upload.wrong_kind',
  '`primary_pending_upload_id` must be the ID of a build upload.',
)

export const requestMetadataUpload = endpoint({
  method: 'POST',
  path: '/upload/metadata/request',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Request a metadata upload',
  description:
    'Returns a signed URL for uploading the artifact with a single PUT. A large artifact can instead be uploaded in parts, so that an interrupted upload can be resumed: request the URL of each part with `metadata_pending_upload_id` at `POST /upload/request/multipart`.',
  body: MetadataRequest,
  lenient: true,
  creates: true,
  refuses: [
    tooManyArtifacts,
    notABuildUpload,
    uploadAborted,
    uploadExpired,
    ...spaceProblems,
    ...storageProblems,
  ],
  returns: Type.Object({
    message: Type.String(),
    metadata_pending_upload_id: Type.String(),
    presigned_upload_data: Type.Object({
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
    }),
    chunked_upload: Type.Boolean({ description: 'Whether uploading in parts is recommended.' }),
    chunked_number_parts: Nullable(Type.Integer()),
    chunked_part_size_mb: Nullable(Type.Integer({ description: 'Part size in MiB.' })),
  }),
  async handle({ db, actor, body, storage, hostedStorage, config }) {
    const target = await requireTarget(db, actor, body)
    const { filename, size_bytes } = body
    const nameError = filenameError(filename)
    if (nameError !== undefined) throw invalid({ filename: [nameError] })
    const storeId = await findUploadStoreId(db, target.applicationId)
    const objectKey = newStorageKey(storeId)
    await storage.requireSpace(objectKey, size_bytes)
    if (target.buildId !== null) await requireRoomForArtifact(db, target.buildId)
    const id = uuidV7()
    const parts = recommendParts({ role: 'metadata', size_bytes }, config)
    const file = {
      id: uuidV7(),
      role: 'metadata' as const,
      filename,
      size_bytes,
      content_type: 'application/octet-stream',
      filetype: metadataFiletypeFor(filename).identifier,
      object_key: objectKey,
      number_of_parts: parts?.numberOfParts ?? null,
      part_size_mb: parts?.partSizeMb ?? null,
    }
    await inTransaction(db, (tx) =>
      insertPendingUpload(tx, {
        id,
        kind: 'metadata',
        workspaceId: actor.workspaceId,
        ...target,
        draft: { filename },
        streamId: null,
        apiKeyId: apiKeyId(actor),
        ttlHours: config.uploadTtlHours,
        storageAddress: hostedStorage.identity.address,
        files: [file],
      }),
    )
    const staged = { key: file.object_key, sizeBytes: size_bytes, filename, contentType: file.content_type }
    return {
      message: 'Metadata upload requested.',
      metadata_pending_upload_id: id,
      presigned_upload_data: await storage.signPut(staged, {
        expiresInSeconds: maxPutUrlSeconds,
        callerId: actor.id ?? '',
      }),
      chunked_upload: parts !== null,
      chunked_number_parts: file.number_of_parts,
      chunked_part_size_mb: file.part_size_mb,
    }
  },
})

/** Returns the build that the artifact belongs to, or the upload that will create it. */
async function requireTarget(db: Db, actor: Actor, input: Static<typeof MetadataRequest>) {
  const { build_id, primary_pending_upload_id } = input
  if (build_id === undefined && primary_pending_upload_id === undefined)
    throw invalid({ build_id: ['is required unless `primary_pending_upload_id` is set.'] })
  const upload =
    primary_pending_upload_id === undefined
      ? undefined
      : await requireBuildUpload(db, actor, primary_pending_upload_id)
  const buildId = build_id ?? upload?.build_id ?? null
  const build = buildId === null ? undefined : await findReachableBuild(db, actor, buildId)
  if (buildId !== null && build === undefined) throw notFound()
  if (build !== undefined && upload !== undefined && build.id !== upload.build_id)
    throw invalid({
      primary_pending_upload_id: [
        'must be the upload of the build in `build_id`. Send only one of the two fields.',
      ],
    })
  return {
    applicationId: build?.application_id ?? upload?.application_id ?? '',
    buildId,
    forPendingUploadId: build === undefined ? (upload?.id ?? null) : null,
  }
}

async function requireBuildUpload(db: Db, actor: Actor, id: string) {
  const upload = await requirePendingUpload(db, actor, id)
  requireAlive(upload)
  if (upload.kind === 'build') return upload
  throw notABuildUpload()
}
