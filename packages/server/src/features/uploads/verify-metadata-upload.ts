import { Type } from 'typebox'
import type { Executor, Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint.ts'
import {
  maxArtifactHeadBytes,
  recognizeArtifact,
  type ArtifactFormat,
} from '../../inspection/recognize-artifact.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import type { SealedObject } from '../../storage/driver.ts'
import { objectSource } from '../../storage/object-source.ts'
import { insertStoredObject } from '../../storage/stored-objects.db.ts'
import { findBuildIncludingTrashed, addBuildMetadataBytes } from '../builds/build.db.ts'
import { insertMetadataArtifact, listMetadataArtifacts } from '../builds/metadata-artifact.db.ts'
import { maxArtifacts } from '../builds/metadata-artifact.ts'
import { finishUpload, type SealedFile } from './finish-upload.ts'
import { hashSealedFiles, inlineHashTimeoutMs } from './hash-sealed-files.ts'
import { requirePendingUpload, type PendingUpload } from './pending-upload.db.ts'

export const verifyMetadataUpload = endpoint({
  method: 'POST',
  path: '/upload/metadata/verify',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Verify a metadata upload',
  description: 'Adds the artifact to its build. Repeating the call returns the same artifact.',
  body: Type.Object({
    pending_upload_id: Type.String({ maxLength: 100 }),
    file_description: Type.Optional(Type.String({ maxLength: 255 })),
  }),
  lenient: true,
  budget: 'uploads',
  returns: Type.Object({
    message: Type.String(),
    metadata_artifact_id: Type.String(),
    build_id: Type.String(),
  }),
  handle(call) {
    let format: ArtifactFormat | null = null
    const description = call.body.file_description ?? null
    return finishUpload(call, call.body.pending_upload_id, {
      kind: 'metadata',
      chunks: undefined,
      existing: async (upload) => toResponse(upload.artifact_id ?? '', upload.build_id ?? ''),
      async read(files) {
        const [sealed] = files
        await hashSealedFiles(call, files, AbortSignal.timeout(inlineHashTimeoutMs))
        format = sealed === undefined ? null : await formatOf(call, sealed.object)
      },
      insert: (tx, upload, files) => createArtifact(tx, call, upload, files, { description, format }),
    })
  },
})

/** Returns the format of an artifact, which is recognized from its first bytes. */
async function formatOf({ storage }: Call, object: SealedObject): Promise<ArtifactFormat | null> {
  const source = objectSource(storage, object)
  return recognizeArtifact(await source.read(0, Math.min(object.sizeBytes, maxArtifactHeadBytes)))
}

const toResponse = (artifactId: string, buildId: string) => ({
  message: 'Metadata artifact verified.',
  metadata_artifact_id: artifactId,
  build_id: buildId,
})

async function createArtifact(
  tx: Tx,
  call: Call,
  upload: PendingUpload,
  [sealed]: SealedFile[],
  attributes: { description: string | null; format: ArtifactFormat | null },
) {
  if (sealed === undefined) throw new Error('metadata upload without a file')
  const buildId = upload.build_id ?? (await requireBuildOfUpload(tx, call, upload))
  // This update takes a row lock that serializes concurrent verify calls, so the limit cannot be exceeded.
  await addBuildMetadataBytes(tx, buildId, sealed.object.sizeBytes)
  const build = await findBuildIncludingTrashed(tx, buildId)
  if (build === undefined || build.deleted_at !== null) throw notFound()
  await requireRoomForArtifact(tx, buildId)
  const { file, object } = sealed
  const id = uuidV7()
  await insertStoredObject(tx, object)
  await insertMetadataArtifact(tx, {
    id,
    build_id: buildId,
    filename: file.filename,
    ...attributes,
    size_bytes: object.sizeBytes,
    checksum_md5: object.md5 ?? null,
    checksum_sha256: object.sha256 ?? null,
    metadata_filetype: file.filetype,
    object_key: object.key,
  })
  await recordEvent(tx, call, {
    action: 'metadata_artifact.created',
    applicationId: upload.application_id,
    subject: { type: 'metadata_artifact', id },
    after: { build_id: buildId, filename: file.filename, size_bytes: object.sizeBytes },
  })
  return { buildId, artifactId: id, response: toResponse(id, buildId) }
}

/** Throws if the build already has the maximum number of metadata artifacts. */
export async function requireRoomForArtifact(db: Executor, buildId: string): Promise<void> {
  if ((await listMetadataArtifacts(db, buildId)).length >= maxArtifacts)
    throw new Problem(
      'bad_request',
      'metadata.too_many',
      `A build can have at most ${maxArtifacts} metadata artifacts. Delete one first.`,
    )
}

async function requireBuildOfUpload(tx: Tx, { actor }: Call, upload: PendingUpload): Promise<string> {
  const primary = await requirePendingUpload(tx, actor, upload.for_pending_upload_id ?? '')
  if (primary.build_id !== null) return primary.build_id
  throw new Problem(
    'bad_request',
    'metadata.build_pending',
    'The build upload has not been verified. Verify it first.',
  )
}
