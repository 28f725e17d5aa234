import { Type, type Static } from 'typebox'
import { metadataEndings, metadataFiletypeFor } from '../../catalog/metadata-filetypes.ts'
import { inTransaction, type Db } from '../../database/transaction.ts'
import type { Actor } from '../../http/actor.ts'
import { endpoint } from '../../http/endpoint.ts'
import { invalid } from '../../http/validation.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { notFound, Problem } from '../../lib/problem.ts'
import { findReachableBuild } from '../builds/build.db.ts'
import { listMetadataArtifacts } from '../metadata-artifacts/metadata-artifact.db.ts'
import { mostArtifacts } from '../metadata-artifacts/metadata-artifact.ts'
import { insertPendingUpload, requirePendingUpload } from './pending-upload.db.ts'
import { filenameError } from './upload-draft.ts'
import { requireAlive } from './upload-state.ts'

const urlLivesSeconds = 6 * 60 * 60
const largestArtifactBytes = 20 * 1024 * 1024

const MetadataRequest = Type.Object(
  {
    build_id: Type.Optional(Type.String({ maxLength: 100 })),
    primary_pending_upload_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Instead of build_id: the upload that became the build, or will.',
      }),
    ),
    filename: Type.String({
      minLength: 1,
      maxLength: 255,
      description: `At most 255 bytes, without a path. Whatever its case it ends in one of: ${metadataEndings}.`,
    }),
    size_bytes: Type.Integer({ minimum: 1, maximum: largestArtifactBytes }),
  },
  { title: 'MetadataRequest' },
)

export const requestMetadataUpload = endpoint({
  method: 'POST',
  path: '/upload/metadata/request',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Start the upload of a metadata artifact',
  body: MetadataRequest,
  lenient: true,
  creates: true,
  returns: Type.Object({
    message: Type.String(),
    metadata_pending_upload_id: Type.String(),
    presigned_upload_data: Type.Object({
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
    }),
  }),
  async handle({ db, actor, body, storage, config }) {
    const target = await requireTarget(db, actor, body)
    const { filename, size_bytes } = body
    const wrongName = filenameError(filename)
    if (wrongName !== undefined) throw invalid({ filename: [wrongName] })
    const filetype = metadataFiletypeFor(filename)
    if (filetype === undefined)
      throw invalid({ filename: ['is of no type that is kept as metadata: the API reference lists them.'] })
    if (target.buildId !== null && (await listMetadataArtifacts(db, target.buildId)).length >= mostArtifacts)
      throw new Problem(
        'bad_request',
        'metadata.too_many',
        `A build takes at most ${mostArtifacts} artifacts.`,
      )
    const id = uuidV7()
    const file = {
      id: uuidV7(),
      role: 'metadata' as const,
      filename,
      size_bytes,
      content_type: 'application/octet-stream',
      filetype: filetype.identifier,
      object_key: uuidV7(),
      number_of_parts: null,
      part_size_mb: null,
    }
    await inTransaction(db, (tx) =>
      insertPendingUpload(tx, {
        id,
        kind: 'metadata',
        workspaceId: actor.workspaceId,
        ...target,
        draft: { filename },
        streamId: null,
        apiKeyId: actor.keyId,
        ttlHours: config.uploadTtlHours,
        files: [file],
      }),
    )
    const staged = { key: file.object_key, sizeBytes: size_bytes, filename, contentType: file.content_type }
    return {
      message: 'Metadata upload requested.',
      metadata_pending_upload_id: id,
      presigned_upload_data: await storage.signPut(staged, { expiresInSeconds: urlLivesSeconds }),
    }
  },
})

/** The build the artifact is for, or the upload that is still to become it. */
async function requireTarget(db: Db, actor: Actor, wish: Static<typeof MetadataRequest>) {
  const { build_id, primary_pending_upload_id } = wish
  if (build_id !== undefined) {
    const build = await findReachableBuild(db, actor, build_id)
    if (build === undefined) throw notFound()
    return { applicationId: build.application_id, buildId: build.id, forPendingUploadId: null }
  }
  if (primary_pending_upload_id === undefined)
    throw invalid({ build_id: ['or primary_pending_upload_id is required.'] })
  const upload = await requirePendingUpload(db, actor, primary_pending_upload_id)
  requireAlive(upload)
  if (upload.kind !== 'build')
    throw new Problem(
      'bad_request',
      'upload.wrong_kind',
      'primary_pending_upload_id is not the upload of a build.',
    )
  return { applicationId: upload.application_id, buildId: upload.build_id, forPendingUploadId: upload.id }
}
