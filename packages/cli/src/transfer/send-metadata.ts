import { QuaysideError } from '@quayside/sdk'
import type { FullBuild, RequestMetadataUploadResponse } from '@quayside/sdk'
import { Failure } from '../failure.ts'
import { findRemoteUpload, findStoredParts, hasSameFiles, noParts } from './find-resumable.ts'
import type { LocalFile } from './local-file.ts'
import { rangeMd5 } from './range-md5.ts'
import { listChunks, sendMissing } from './send-missing.ts'
import type { OpenUpload } from './send-missing.ts'
import { sendRange } from './send-range.ts'
import { trySaveState } from './start-upload.ts'
import type { LocalFiles, UploadContext } from './upload-context.ts'
import { artifactStatePath, isSameFile, loadState, removeState } from './upload-state.ts'
import type { UploadState } from './upload-state.ts'

/** Uploads files as metadata artifacts. Skips a file if the build has one with the same name and content. */
export async function sendMetadata(
  context: UploadContext,
  build: FullBuild,
  files: LocalFile[],
): Promise<{ filename: string; metadata_artifact_id: string }[]> {
  const added: { filename: string; metadata_artifact_id: string }[] = []
  for (const file of files) {
    const id = (await findExisting(context, build, file)) ?? (await sendOne(context, build.id, file))
    added.push({ filename: file.filename, metadata_artifact_id: id })
  }
  return added
}

async function findExisting(
  { agents, signal }: UploadContext,
  build: FullBuild,
  file: LocalFile,
): Promise<string | undefined> {
  const candidates = build.metadata_artifacts.filter(
    ({ filename, size_bytes }) => filename === file.filename && size_bytes === file.sizeBytes,
  )
  if (candidates.length === 0) return undefined
  const md5 = await rangeMd5(file, { start: 0, sizeBytes: file.sizeBytes, signal }, agents)
  // The server computes the checksum of a large artifact in the background.
  return candidates.find(({ checksum_md5 }) => checksum_md5 === md5 || checksum_md5 === null)?.id
}

async function sendOne(context: UploadContext, buildId: string, file: LocalFile): Promise<string> {
  const statePath = artifactStatePath(context.statePath, buildId, file.path)
  const artifact = { ...context, statePath }
  const files: LocalFiles = [{ role: 'metadata', file }]
  const resumed = await findInterrupted(artifact, buildId, files)
  if (resumed !== undefined) return sendParts(artifact, resumed, files)
  const requested = await request(context, buildId, file)
  const { chunked_upload: isInParts, chunked_part_size_mb: partSizeMb } = requested
  if (!isInParts || partSizeMb === null) return sendWhole(context, buildId, file, requested)
  const { path, sizeBytes, revision } = file
  const state: UploadState = {
    pendingUploadId: requested.metadata_pending_upload_id,
    fingerprint: buildId,
    files: [{ role: 'metadata', path, sizeBytes, revision, partSizeMb, target: null }],
  }
  await trySaveState(artifact, state)
  return sendParts(artifact, { state, stored: noParts() }, files)
}

// Retrying is safe. At worst, a retry leaves an unused pending upload, which expires.
const request = (
  { client, signal }: UploadContext,
  buildId: string,
  file: LocalFile,
): Promise<RequestMetadataUploadResponse> =>
  client.requestMetadataUpload(
    { body: { build_id: buildId, filename: file.filename, size_bytes: file.sizeBytes } },
    { signal, idempotent: true },
  )

/** Returns the upload that an earlier run started in parts, or undefined if it cannot be resumed. */
async function findInterrupted(
  context: UploadContext,
  buildId: string,
  files: LocalFiles,
): Promise<OpenUpload | undefined> {
  const state = await loadState(context.statePath)
  const isSame =
    state?.fingerprint === buildId &&
    files.every(({ file }) => state.files.some((saved) => isSameFile(saved, file)))
  const remote = isSame ? await findRemoteUpload(context, state.pendingUploadId) : undefined
  const isOpen = remote?.state === 'requested' || remote?.state === 'verifying'
  if (state === undefined || remote === undefined || !isOpen || !hasSameFiles(remote, files)) return undefined
  return { state, stored: await findStoredParts(context, files, remote) }
}

async function sendParts(context: UploadContext, upload: OpenUpload, files: LocalFiles): Promise<string> {
  await sendMissing(context, upload, files)
  for (const { file } of files) await file.requireUnchanged()
  const id = await verify(context, upload.state.pendingUploadId, listChunks(upload))
  await removeState(context.statePath)
  return id
}

async function sendWhole(
  context: UploadContext,
  buildId: string,
  file: LocalFile,
  requested: RequestMetadataUploadResponse,
): Promise<string> {
  const { signal, output } = context
  let upload = requested
  await sendRange({
    file,
    start: 0,
    sizeBytes: file.sizeBytes,
    server: context.server,
    agents: context.agents,
    signal,
    onBytes: () => {},
    onRetry: (reason) => output.note(`${file.filename}: ${reason}. Retrying.`),
    target: async (fresh) => {
      if (fresh) upload = await request(context, buildId, file)
      return upload.presigned_upload_data
    },
  })
  return verify(context, upload.metadata_pending_upload_id, [])
}

async function verify(
  { client, signal }: UploadContext,
  pendingUploadId: string,
  chunks: { PartNumber: number; ETag: string }[],
): Promise<string> {
  const body = {
    pending_upload_id: pendingUploadId,
    ...(chunks.length > 0 ? { multipart_chunks: chunks } : {}),
  }
  try {
    const response = await client.verifyMetadataUpload({ body }, { signal, idempotent: true, retries: 8 })
    return response.metadata_artifact_id
  } catch (error) {
    if (!(error instanceof QuaysideError) || error.status !== 400) throw error
    const messages = Object.values(error.errors).flat().join(' ')
    throw new Failure(
      'failed',
      `The server could not verify the metadata file: ${messages || error.message} Rerun the command to try again.`,
    )
  }
}
