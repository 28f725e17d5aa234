import { setTimeout as sleep } from 'node:timers/promises'
import { QuaysideError } from '@quayside/sdk'
import type { FullBuild } from '@quayside/sdk'
import { planFiles } from '../compose/compose-files.ts'
import type { Reuse } from '../compose/plan-composition.ts'
import { Failure } from '../failure.ts'
import { tryAbortUpload, findResumable, findRemoteUpload } from './find-resumable.ts'
import type { Resumable } from './find-resumable.ts'
import { FileChangedError } from './local-file.ts'
import { listChunks, sendMissing } from './send-missing.ts'
import type { OpenUpload } from './send-missing.ts'
import { UploadLinkExpired } from './send-range.ts'
import { startUpload } from './start-upload.ts'
import type { LocalFiles, UploadBody, UploadContext } from './upload-context.ts'
import { removeState, requestFingerprint } from './upload-state.ts'

export type UploadedBuild = {
  build: FullBuild
  pendingProcessing: boolean
  sentBytes: number
  reusedBytes: number
}

/**
 * Uploads a build. Resumes an interrupted upload of the same file and settings or starts a new one, sends the missing
 * parts and verifies the upload. The caller removes the state file.
 */
export async function uploadBuild(
  context: UploadContext,
  applicationId: string,
  body: UploadBody,
  files: LocalFiles,
): Promise<UploadedBuild> {
  const fingerprint = requestFingerprint(body)
  let found: Resumable = await findResumable(context, body, fingerprint, files)
  let reuse: Reuse | undefined = context.reuse ? 'pieces' : undefined
  for (let attempt = 0; ; attempt++) {
    if (found.kind === 'verified') return findFinishedBuild(context, applicationId, found.buildId)
    const upload: OpenUpload =
      found.kind === 'open' ? found : await requestUpload(context, body, { fingerprint, files, found, reuse })
    try {
      const sentBytes = await sendMissing(context, upload, files)
      return await verify(context, upload, files, sentBytes)
    } catch (error) {
      if (error instanceof FileChangedError || error instanceof UploadLinkExpired) {
        await tryAbortUpload(context, upload.state.pendingUploadId)
        await removeState(context.statePath)
      }
      const buildId = await findBuildVerifiedElsewhere(context, upload.state.pendingUploadId, error)
      if (buildId !== undefined) {
        found = { kind: 'verified', buildId }
      } else if (error instanceof QuaysideError && isCompositionRejected(error)) {
        await tryAbortUpload(context, upload.state.pendingUploadId)
        await removeState(context.statePath)
        reuse = isPieceMismatch(error, upload) ? 'chunks' : undefined
        context.output.note(
          reuse === undefined
            ? `${error.message} Sending all bytes.`
            : 'The composed file does not have the expected SHA-256. Reusing only whole chunks.',
        )
        found = { kind: 'none' }
      } else if (error instanceof UploadLinkExpired && attempt === 0) {
        context.output.note('The upload URL has expired. Starting over.')
        found = { kind: 'none' }
      } else if (context.signal.aborted && !(error instanceof Failure)) {
        throw new Failure(
          'interrupted',
          'Interrupted before the server confirmed the build. Rerun the command to resume.',
        )
      } else {
        throw error
      }
    }
  }
}

type NewUpload = {
  fingerprint: string
  files: LocalFiles
  found: Exclude<Resumable, { kind: 'verified' | 'open' }>
  /** What is looked for in other builds, or undefined to send everything. */
  reuse: Reuse | undefined
}

/** Requests a new upload, or resumes an unfinished one and replaces its settings. */
async function requestUpload(
  context: UploadContext,
  body: UploadBody,
  { fingerprint, files, found, reuse }: NewUpload,
): Promise<OpenUpload> {
  if (found.kind === 'found') {
    const resumed = { ...body, resume_pending_upload_id: found.pendingUploadId }
    try {
      const { newRanges, stored } = found
      return { ...(await startUpload(context, resumed, fingerprint, files, { newRanges })), stored }
    } catch (error) {
      // Another run has finished or aborted the upload, or the platform has changed.
      if (!(error instanceof QuaysideError) || ![400, 404, 410].includes(error.status)) throw error
      context.output.note('Cannot resume the interrupted upload. Starting over.')
    }
  }
  const planned = reuse === undefined ? {} : await planFiles(context, body, files, reuse)
  return startUpload(context, body, fingerprint, files, { planned })
}

/** Returns whether the server could not compose a file of bytes of other builds. */
const isCompositionRejected = ({ code }: QuaysideError): boolean => code.startsWith('composition.')

/** Returns whether the checksums of pieces may have matched other bytes. */
const isPieceMismatch = ({ code }: QuaysideError, { state }: OpenUpload): boolean =>
  code === 'composition.mismatch' && state.files.some(({ hasPieces }) => hasPieces)

/**
 * Returns the build ID if a concurrent run has verified this upload. Requests for parts and PUTs fail in that case, also
 * shortly before.
 */
async function findBuildVerifiedElsewhere(
  context: UploadContext,
  id: string,
  error: unknown,
): Promise<string | undefined> {
  const isRejected =
    error instanceof Failure ||
    (error instanceof QuaysideError && (error.status === 400 || error.code === 'upload.sealed'))
  if (!isRejected || error instanceof FileChangedError || context.signal.aborted) return undefined
  for (let attempt = 0; attempt < 20; attempt++) {
    const remote = await findRemoteUpload(context, id).catch(() => undefined)
    if (remote?.state === 'verified') return remote.build_id ?? undefined
    if (remote?.state !== 'verifying') return undefined
    // Shortly before the server creates the build, it seals the uploaded files, which makes further PUTs fail.
    await sleep(500)
  }
  return undefined
}

async function findFinishedBuild(
  { client, output }: UploadContext,
  applicationId: string,
  buildId: string,
): Promise<UploadedBuild> {
  output.note('An earlier run has already completed this upload.')
  const { data: build } = await client.getBuild({
    application_id: applicationId,
    build_id: buildId,
  })
  return {
    build,
    pendingProcessing: build.pending_processing,
    sentBytes: 0,
    reusedBytes: build.size_total_bytes,
  }
}

async function verify(
  { client, signal }: UploadContext,
  upload: OpenUpload,
  files: LocalFiles,
  sentBytes: number,
): Promise<UploadedBuild> {
  const { state } = upload
  for (const { file } of files) await file.requireUnchanged()
  const chunks = listChunks(upload)
  const body = {
    pending_upload_id: state.pendingUploadId,
    ...(chunks.length > 0 ? { multipart_chunks: chunks } : {}),
  }
  try {
    const response = await verifyUntilRead({ client, signal }, body, upload)
    const totalBytes = state.files.reduce((total, file) => total + file.sizeBytes, 0)
    const reusedBytes = totalBytes - sentBytes
    return {
      build: response.build,
      pendingProcessing: response.pending_processing,
      sentBytes,
      reusedBytes,
    }
  } catch (error) {
    if (!(error instanceof QuaysideError) || error.status !== 400 || isCompositionRejected(error)) throw error
    const messages = Object.values(error.errors).flat().join(' ')
    throw new Failure(
      'failed',
      `The server could not verify the upload: ${messages || error.message} Rerun the command to try again.`,
    )
  }
}

/** Verifies an upload. The server reads a file that it composes completely, and responds that it still does until then. */
async function verifyUntilRead(
  { client, signal }: Pick<UploadContext, 'client' | 'signal'>,
  body: Parameters<UploadContext['client']['verifyUpload']>[0]['body'],
  { state }: OpenUpload,
) {
  const isComposed = state.files.some(({ newRanges }) => newRanges !== undefined)
  for (;;) {
    try {
      return await client.verifyUpload({ body }, { signal, idempotent: true, retries: 8 })
    } catch (error) {
      const isReading =
        error instanceof QuaysideError && error.status === 503 && error.code === 'upload.verifying'
      if (!isComposed || !isReading) throw error
    }
  }
}
