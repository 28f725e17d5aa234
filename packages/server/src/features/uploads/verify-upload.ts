import { Type } from 'typebox'
import { initialProcessing } from '../../catalog/filetypes.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { endpoint, type Call } from '../../http/endpoint/endpoint.ts'
import { versionOf } from '../../http/endpoint/version-parts.ts'
import { shortId } from '../../lib/ids.ts'
import { problem } from '../../lib/problem.ts'
import { versionSortKey } from '../../lib/semver.ts'
import { insertBuildLabels } from '../builds/build-label.db.ts'
import { insertBuild, requireFullBuild } from '../builds/build.db.ts'
import { buildAuditSnapshot, consoleUrl, downloadUrl, FullBuild } from '../builds/build.ts'
import { hashFile } from '../builds/files/hash-file.job.ts'
import { inspectBuild } from '../builds/inspection/inspect-build.job.ts'
import { findCustomTarget } from '../custom-targets/custom-target.db.ts'
import { insertLabels } from '../labels/label.db.ts'
import { partDamaged } from './check-parts.ts'
import { checkFiles, checkSealed } from './composition/check-composition.ts'
import { compositionProblems } from './composition/composition.ts'
import { bytesToSend } from './file-to-send.ts'
import { finishUpload, verifyProblems, type SealedFile } from './finish-upload.ts'
import { hashSealedFiles, inlineHashTimeoutMs } from './hash-sealed-files.ts'
import type { PendingUpload } from './pending-upload.db.ts'
import { MultipartChunks, type BuildDraft } from './upload-request.ts'

const streamDeleted = problem(
  'bad_request',
  'upload.stream_deleted',
  'The stream of this upload was deleted. Request a new upload.',
)

export const verifyUpload = endpoint({
  method: 'POST',
  path: '/upload/verify',
  scope: { workspace: 'builds:create', application: 'builds:create' },
  summary: 'Verify a build upload',
  description:
    'Creates the build. Repeating the call returns the same build. List the parts with their ETags, primary file first. Without ' +
    'a list, the most recently stored parts are used. Only the four most recent attempts at each part are kept. The error for an incomplete upload names the missing files or parts; upload them and verify again. A file that takes bytes from others is read completely first; until then, the status is 503 with the code `upload.verifying`: repeat the call.',
  body: Type.Object({
    pending_upload_id: Type.String({ maxLength: 100 }),
    multipart_chunks: MultipartChunks,
  }),
  lenient: true,
  budget: 'uploads',
  refuses: [...verifyProblems, ...compositionProblems, partDamaged, streamDeleted],
  returns: Type.Object({
    message: Type.String(),
    pending_processing: Type.Boolean({
      description:
        'Whether metadata will be read from the primary file of a mobile build. `processing` of the build reports this for all types.',
    }),
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
      check(files, { application_id }) {
        timeout = AbortSignal.timeout(inlineHashTimeoutMs)
        return checkFiles(call, application_id, files, timeout)
      },
      async read(files, { application_id }) {
        await checkSealed(call, application_id, files)
        await hashSealedFiles(call, files, timeout)
      },
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

/** Inserts the build with its files, labels and events. */
async function createBuild(tx: Tx, call: Call, upload: PendingUpload, files: SealedFile[]) {
  const { workspace_id: workspaceId, application_id: applicationId } = upload
  const owner = { workspaceId, applicationId }
  const { stream_id: streamId } = upload
  if (streamId === null) throw streamDeleted()
  const { label_ids, labels, custom_target_id, ...draft } = upload.draft as BuildDraft
  const target = custom_target_id === null ? undefined : await findCustomTarget(tx, owner, custom_target_id)
  const primary = files.find(({ file }) => file.role === 'primary')
  const processing = initialProcessing(primary?.file.filetype ?? '')
  const id = shortId(10)
  const row = {
    ...draft,
    id,
    workspace_id: workspaceId,
    application_id: applicationId,
    stream_id: streamId,
    custom_target_id: target?.id ?? null,
    version_sort: versionSortKey(versionOf(draft)),
    size_total_bytes: files.reduce((sum, { object }) => sum + object.sizeBytes, 0),
    reused_bytes: files.reduce((sum, { file }) => sum + file.size_bytes - bytesToSend(file), 0),
    processing,
  }
  const newFiles = files.map(({ file: { role, filename, filetype }, object }) => ({
    role,
    filename,
    filetype,
    object,
  }))
  for (const fileId of await insertBuild(tx, row, newFiles))
    await call.queue.enqueue(tx, hashFile, { fileId })
  if (processing !== 'none') await call.queue.enqueue(tx, inspectBuild, { buildId: id })
  await insertBuildLabels(tx, [
    {
      id,
      application_id: applicationId,
      workspace_id: workspaceId,
      labels: await insertLabels(tx, owner, { ids: label_ids, names: labels }),
    },
  ])
  const build = await requireFullBuild(tx, applicationId, id, call.config)
  await recordEvent(tx, call, {
    action: 'build.created',
    applicationId,
    subject: { type: 'build', id },
    after: { ...buildAuditSnapshot(build), platform: build.platform.identifier },
    events: [
      { name: 'build.created', data: { build } },
      { name: 'build.created.stream', data: { build, stream: build.stream } },
      // Files of other types are reported when they have been read.
      ...(processing === 'none' ? [{ name: 'build.processed' as const, data: { build } }] : []),
    ],
  })
  await call.dependents.notifyMentioned(tx, call, {
    applicationId,
    workspaceId,
    buildId: id,
    text: build.notes,
  })
  return build
}
