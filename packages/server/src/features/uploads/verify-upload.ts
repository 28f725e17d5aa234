import { Type } from 'typebox'
import { initialProcessing } from '../../catalog/filetypes.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint.ts'
import { versionOf } from '../../http/version-parts.ts'
import { shortId, uuidV7 } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { versionSortKey } from '../../lib/semver.ts'
import { DamagedFile, type StagedPart } from '../../storage/driver.ts'
import type { Digests } from '../../storage/hashing.ts'
import { insertStoredObject } from '../../storage/stored-objects.db.ts'
import { insertBuild, insertBuildLabels } from '../builds/build.db.ts'
import { buildAuditSnapshot, consoleUrl, downloadUrl, FullBuild, requireFullBuild } from '../builds/build.ts'
import { insertFile } from '../builds/file.db.ts'
import { hashFile } from '../builds/hash-file.job.ts'
import { inspectBuild } from '../builds/inspect-build.job.ts'
import { findCustomTarget } from '../custom-targets/custom-target.db.ts'
import { insertLabels } from '../labels/label.db.ts'
import { finishUpload, type ChosenFile, type SealedFile } from './finish-upload.ts'
import { hashSealedFiles, inlineHashTimeoutMs, maxInlineHashBytes } from './hash-sealed-files.ts'
import type { PendingFile, PendingUpload } from './pending-upload.db.ts'
import { maxParts, type BuildDraft } from './upload-request.ts'

export const verifyUpload = endpoint({
  method: 'POST',
  path: '/upload/verify',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Verify a build upload',
  description:
    'Creates the build. Repeating the call returns the same build. List the parts with their ETags, primary file first. Without ' +
    'a list, the most recently stored parts are used. Only the four most recent attempts at each part are kept. The error for an incomplete upload names the missing files or parts; upload them and verify again.',
  body: Type.Object({
    pending_upload_id: Type.String({ maxLength: 100 }),
    multipart_chunks: Type.Optional(
      Type.Array(
        Type.Object({
          PartNumber: Type.Integer({ minimum: 1, maximum: maxParts }),
          ETag: Type.String({ minLength: 1, maxLength: 200, description: 'With or without quotes.' }),
        }),
        { maxItems: 20_000 },
      ),
    ),
  }),
  lenient: true,
  budget: 'uploads',
  returns: Type.Object({
    message: Type.String(),
    pending_processing: Type.Boolean(),
    build_id: Type.String(),
    build_info_url: Type.String(),
    download_url: Type.String(),
    build: FullBuild,
  }),
  handle(call) {
    let timeout = AbortSignal.abort()
    return finishUpload(call, call.body.pending_upload_id, {
      kind: 'build',
      chunks: call.body.multipart_chunks,
      existing: async ({ application_id, build_id }) =>
        toResponse(call, await requireFullBuild(call.db, application_id, build_id ?? '', call.config)),
      check(files) {
        timeout = AbortSignal.timeout(inlineHashTimeoutMs)
        return checkParts(call, files, timeout)
      },
      read: (files) => hashSealedFiles(call, files, timeout),
      insert: async (tx, upload, files) => {
        const build = await createBuild(tx, call, upload, files)
        return { buildId: build.id, artifactId: null, response: toResponse(call, build) }
      },
    })
  },
})

function toResponse({ config }: Call, build: FullBuild) {
  return {
    message: 'Upload verified.',
    pending_processing: build.pending_processing,
    build_id: build.id,
    build_info_url: consoleUrl(config, build.application_id, build.id),
    download_url: downloadUrl(config, build.application_id, build.id),
    build,
  }
}

/** Returns the checksums of the files that can be read within the inline limits. */
async function checkParts(
  { storage, log }: Call,
  files: ChosenFile[],
  signal: AbortSignal,
): Promise<Map<string, Digests>> {
  const checksums = new Map<string, Digests>()
  await Promise.all(
    files.map(async ({ file, parts }) => {
      // Local storage hashed a file with a single part during its PUT. S3 can read it only after it is sealed.
      if (parts.length === 1 || file.size_bytes > maxInlineHashBytes) return
      const { object_key: key, multipart_id } = file
      try {
        const digests = await storage.checksumsOfStaged(key, multipart_id ?? '', parts, { signal })
        if (digests !== undefined) checksums.set(file.id, digests)
      } catch (error) {
        if (error instanceof DamagedFile) {
          log.error({ err: error, alarm: 'storage', key, part: error.partName }, 'a stored part is damaged')
          // Otherwise, the upload status would list the damaged part as stored, and a client that resumes would not
          // send it again.
          await storage.discardPart(key, multipart_id ?? '', error.partName)
          throw damagedPart(file, parts, error)
        }
        if (!signal.aborted) throw error
      }
    }),
  )
  return checksums
}

function damagedPart({ role, filename }: PendingFile, parts: StagedPart[], error: DamagedFile): Problem {
  const number = parts.find(({ name }) => name === error.partName)?.partNumber
  const text = `Part ${number} of "${filename}" was damaged in storage. Upload it again.`
  const field = role === 'expansion' ? 'expansion_files.0' : 'primary_file'
  const extra = { errors: { [field]: [text] }, cause: error }
  return new Problem('bad_request', 'upload.part_damaged', `The upload cannot be verified: ${text}`, extra)
}

/** Inserts the build with its files, labels and events. */
async function createBuild(tx: Tx, call: Call, upload: PendingUpload, files: SealedFile[]) {
  const { workspace_id: workspaceId, application_id: applicationId } = upload
  const owner = { workspaceId, applicationId }
  const { stream_id: streamId } = upload
  if (streamId === null)
    throw new Problem(
      'bad_request',
      'upload.stream_deleted',
      'The stream of this upload was deleted. Request a new upload.',
    )
  const { label_ids, labels, custom_target_id, ...draft } = upload.draft as BuildDraft
  const target = custom_target_id === null ? undefined : await findCustomTarget(tx, owner, custom_target_id)
  const primary = files.find(({ file }) => file.role === 'primary')
  const processing = initialProcessing(primary?.file.filetype ?? '')
  const id = shortId(10)
  await insertBuild(tx, {
    ...draft,
    id,
    workspace_id: workspaceId,
    application_id: applicationId,
    stream_id: streamId,
    custom_target_id: target?.id ?? null,
    version_sort: versionSortKey(versionOf(draft)),
    size_total_bytes: files.reduce((sum, { object }) => sum + object.sizeBytes, 0),
    processing,
  })
  await insertBuildLabels(
    tx,
    { id, application_id: applicationId, workspace_id: workspaceId },
    await insertLabels(tx, owner, { ids: label_ids, names: labels }),
  )
  for (const sealed of files) await insertSealedFile(tx, call, id, sealed)
  if (processing !== 'none') await call.queue.enqueue(tx, inspectBuild, { buildId: id })
  const build = await requireFullBuild(tx, applicationId, id, call.config)
  await recordEvent(tx, call, {
    action: 'build.created',
    applicationId,
    subject: { type: 'build', id },
    after: { ...buildAuditSnapshot(build), platform: build.platform.identifier },
    events: [
      { name: 'build.created', data: { build } },
      { name: 'build.created.stream', data: { build, stream: build.stream } },
    ],
  })
  return build
}

async function insertSealedFile(
  tx: Tx,
  { queue }: Call,
  buildId: string,
  { file, object }: SealedFile,
): Promise<void> {
  await insertStoredObject(tx, object)
  const id = uuidV7()
  await insertFile(tx, {
    id,
    build_id: buildId,
    role: file.role,
    filename: file.filename,
    size_bytes: object.sizeBytes,
    checksum_md5: object.md5 ?? null,
    checksum_sha256: object.sha256 ?? null,
    filetype: file.filetype,
    object_key: object.key,
  })
  if (object.md5 === undefined || object.sha256 === undefined)
    await queue.enqueue(tx, hashFile, { fileId: id })
}
