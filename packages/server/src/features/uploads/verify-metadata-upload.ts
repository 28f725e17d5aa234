import { Type } from 'typebox'
import type { Executor, Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import type { ArtifactFormat } from '../../inspection/artifacts/artifact-format.ts'
import {
  maxArtifactHeadBytes,
  mayContainDebugIds,
  recognizeArtifact,
} from '../../inspection/artifacts/recognize-artifact.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound, problem } from '../../lib/problem.ts'
import { objectSource } from '../../storage/objects/object-source.ts'
import { insertStoredObject } from '../../storage/objects/stored-objects.db.ts'
import { artifactInspectionVersion, inspectArtifact } from '../builds/artifacts/inspect-artifact.job.ts'
import { insertMetadataArtifact, listMetadataArtifacts } from '../builds/artifacts/metadata-artifact.db.ts'
import { maxArtifacts } from '../builds/artifacts/metadata-artifact.ts'
import { findBuildIncludingTrashed, addBuildMetadataBytes } from '../builds/build.db.ts'
import { checkParts, partDamaged } from './check-parts.ts'
import { finishUpload, verifyProblems, type SealedFile } from './finish-upload.ts'
import { hashSealedFiles, inlineHashTimeoutMs } from './hash-sealed-files.ts'
import { requirePendingUpload, type PendingUpload } from './pending-upload.db.ts'
import { MultipartChunks } from './upload-request.ts'

export const tooManyArtifacts = problem(
  'bad_request',
  'metadata.too_many',
  `A build can have at most ${maxArtifacts} metadata artifacts. Delete one first.`,
)

const buildPending = problem(
  'bad_request',
  'metadata.build_pending',
  'The build upload has not been verified. Verify it first.',
)

export const verifyMetadataUpload = endpoint({
  method: 'POST',
  path: '/upload/metadata/verify',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Verify a metadata upload',
  description:
    'Adds the artifact to its build. Repeating the call returns the same artifact. List the parts of an artifact that was uploaded in parts with their ETags. Without a list, the most recently stored parts are used.',
  body: Type.Object({
    pending_upload_id: Type.String({ maxLength: 100 }),
    file_description: Type.Optional(Type.String({ maxLength: 255 })),
    multipart_chunks: MultipartChunks,
  }),
  lenient: true,
  budget: 'uploads',
  refuses: [...verifyProblems, partDamaged, buildPending, tooManyArtifacts],
  returns: Type.Object({
    message: Type.String(),
    metadata_artifact_id: Type.String(),
    build_id: Type.String(),
  }),
  handle(call) {
    let recognized: Recognized = { format: null, mayHaveDebugIds: false }
    let timeout = AbortSignal.abort()
    const description = call.body.file_description ?? null
    return finishUpload(call, call.body.pending_upload_id, {
      kind: 'metadata',
      chunks: call.body.multipart_chunks,
      existing: async (upload) => toResponse(upload.artifact_id ?? '', upload.build_id ?? ''),
      check(files) {
        timeout = AbortSignal.timeout(inlineHashTimeoutMs)
        return checkParts(call, files, timeout)
      },
      async read(files) {
        const [sealed] = files
        await hashSealedFiles(call, files, timeout)
        if (sealed !== undefined) recognized = await recognize(call, sealed)
      },
      insert: (tx, upload, files) => createArtifact(tx, call, upload, files, { description, ...recognized }),
    })
  },
})

type Recognized = { format: ArtifactFormat | null; mayHaveDebugIds: boolean }

/** Returns what the first bytes and the name of an artifact show. Only the sandboxed process reads more of it. */
async function recognize({ storage }: Call, { file, object }: SealedFile): Promise<Recognized> {
  const source = objectSource(storage, object)
  const head = await source.read(0, Math.min(object.sizeBytes, maxArtifactHeadBytes))
  const format = recognizeArtifact(head, file.filename)
  return { format, mayHaveDebugIds: mayContainDebugIds(head, format) }
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
  { description, format, mayHaveDebugIds }: Recognized & { description: string | null },
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
  const isComplete = !mayHaveDebugIds && object.md5 !== undefined && object.sha256 !== undefined
  await insertMetadataArtifact(tx, {
    id,
    build_id: buildId,
    filename: file.filename,
    description,
    format,
    size_bytes: object.sizeBytes,
    checksum_md5: object.md5 ?? null,
    checksum_sha256: object.sha256 ?? null,
    checksum_sha1: object.sha1 ?? null,
    checksum_sha512: object.sha512 ?? null,
    metadata_filetype: file.filetype,
    object_key: object.key,
    inspection_version: isComplete ? artifactInspectionVersion : 0,
  })
  if (!isComplete) await call.queue.enqueue(tx, inspectArtifact, { artifactId: id })
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
  if ((await listMetadataArtifacts(db, buildId)).length >= maxArtifacts) throw tooManyArtifacts()
}

async function requireBuildOfUpload(tx: Tx, { actor }: Call, upload: PendingUpload): Promise<string> {
  const primary = await requirePendingUpload(tx, actor, upload.for_pending_upload_id ?? '')
  if (primary.build_id !== null) return primary.build_id
  throw buildPending()
}
