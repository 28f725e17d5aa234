import { setTimeout as sleep } from 'node:timers/promises'
import { QuaysideError } from '@quayside/sdk'
import type { FullBuild } from '@quayside/sdk'
import { Failure } from '../failure.ts'
import { tryAbortUpload, findResumable, planPuts, findRemoteUpload } from './find-resumable.ts'
import type { Resumable, StoredParts } from './find-resumable.ts'
import { FileChangedError, requireUnchanged } from './local-file.ts'
import { runInParallel } from './part-plan.ts'
import type { PlannedPart } from './part-plan.ts'
import { originAdvice, sendRange, UploadLinkExpired } from './send-range.ts'
import type { SignedTarget } from './send-range.ts'
import { startUpload } from './start-upload.ts'
import { requireLocalFile } from './upload-context.ts'
import type { LocalFiles, UploadBody, UploadContext } from './upload-context.ts'
import { removeState, requestFingerprint } from './upload-state.ts'
import type { StateFile, UploadState } from './upload-state.ts'

export type UploadedBuild = {
  build: FullBuild
  pendingProcessing: boolean
  sentBytes: number
  reusedBytes: number
}

type OpenUpload = { state: UploadState; stored: StoredParts }
type Task = { saved: StateFile; part: PlannedPart }

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
  for (let attempt = 0; ; attempt++) {
    if (found.kind === 'verified') return findFinishedBuild(context, applicationId, found.buildId)
    const upload =
      found.kind === 'open' ? found : await requestUpload(context, body, fingerprint, files, found)
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

/** Requests a new upload, or resumes an unfinished one and replaces its settings. */
async function requestUpload(
  context: UploadContext,
  body: UploadBody,
  fingerprint: string,
  files: LocalFiles,
  found: Exclude<Resumable, { kind: 'verified' | 'open' }>,
): Promise<OpenUpload> {
  if (found.kind === 'found') {
    const resumed = { ...body, resume_pending_upload_id: found.pendingUploadId }
    try {
      return { ...(await startUpload(context, resumed, fingerprint, files)), stored: found.stored }
    } catch (error) {
      // Another run has finished or aborted the upload, or the platform has changed.
      if (!(error instanceof QuaysideError) || ![400, 404, 410].includes(error.status)) throw error
      context.output.note('Cannot resume the interrupted upload. Starting over.')
    }
  }
  return startUpload(context, body, fingerprint, files)
}

/** Returns the build ID if a concurrent run has verified this upload. Further PUTs fail in that case. */
async function findBuildVerifiedElsewhere(
  context: UploadContext,
  id: string,
  error: unknown,
): Promise<string | undefined> {
  const isRejected = error instanceof Failure || (error instanceof QuaysideError && error.status === 400)
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

async function sendMissing(context: UploadContext, upload: OpenUpload, files: LocalFiles): Promise<number> {
  const { state, stored } = upload
  const tasks = state.files.flatMap((saved) => planPuts(saved).map((part) => ({ saved, part })))
  const missing = tasks.filter(({ saved, part }) => !stored[saved.role].has(part.number))
  const alreadyDoneBytes = sum(tasks) - sum(missing)
  const storedCount = tasks.length - missing.length
  if (storedCount > 0)
    context.output.note(`Resuming: ${storedCount} of ${tasks.length} parts already uploaded.`)
  if (missing.length === 0) return 0
  const label = requireLocalFile(files, 'primary').filename
  const progress = context.output.progress({ label, totalBytes: sum(tasks), alreadyDoneBytes })
  try {
    await runInParallel(missing, context.parallel, context.signal, async ({ saved, part }, signal) => {
      const file = requireLocalFile(files, saved.role)
      const { etag } = await sendRange({
        file,
        start: part.start,
        sizeBytes: part.sizeBytes,
        server: context.server,
        agents: context.agents,
        signal,
        onBytes: (bytes) => progress.add(bytes),
        onRetry: (reason) => context.output.note(`${partName(file.filename, part)}: ${reason}. Retrying.`),
        target: (fresh) => signTarget(context, state.pendingUploadId, saved, part, fresh),
      })
      stored[saved.role].set(part.number, etag)
    })
  } catch (error) {
    if (!context.signal.aborted) throw error
    const done = stored.primary.size + stored.expansion.size
    throw new Failure(
      'interrupted',
      `Interrupted after ${done} of ${tasks.length} parts. Rerun the command to resume.`,
    )
  } finally {
    progress.end()
  }
  return sum(missing)
}

async function signTarget(
  { client, server, signal }: UploadContext,
  pendingUploadId: string,
  saved: StateFile,
  part: PlannedPart,
  fresh: boolean,
): Promise<SignedTarget> {
  if (part.number === 0) {
    if (fresh || saved.target === null) {
      const advice = saved.target === null ? '' : originAdvice(saved.target.url, server)
      throw new UploadLinkExpired(
        'failed',
        `The upload URL was rejected.${advice} Rerun the command to request a new one.`,
      )
    }
    return saved.target
  }
  const body = {
    pending_upload_id: pendingUploadId,
    part_number: part.number,
    content_length: part.sizeBytes,
  }
  const request = saved.role === 'primary' ? client.requestUploadPart : client.requestExpansionUploadPart
  const response = await request({ body }, { signal, idempotent: true, retries: 8 })
  return { url: response.part_presigned_url, headers: {} }
}

async function verify(
  { client, signal }: UploadContext,
  { state, stored }: OpenUpload,
  files: LocalFiles,
  sentBytes: number,
): Promise<UploadedBuild> {
  for (const { file } of files) await requireUnchanged(file)
  const chunks = state.files
    .filter((saved) => saved.partSizeMb !== null)
    .flatMap((saved) => [...stored[saved.role]].toSorted(([a], [b]) => a - b))
    .map(([number, etag]) => ({ PartNumber: number, ETag: etag }))
  const body = {
    pending_upload_id: state.pendingUploadId,
    ...(chunks.length > 0 ? { multipart_chunks: chunks } : {}),
  }
  try {
    const response = await client.verifyUpload({ body }, { signal, idempotent: true, retries: 8 })
    const totalBytes = state.files.reduce((total, file) => total + file.sizeBytes, 0)
    const reusedBytes = totalBytes - sentBytes
    return {
      build: response.build,
      pendingProcessing: response.pending_processing,
      sentBytes,
      reusedBytes,
    }
  } catch (error) {
    if (!(error instanceof QuaysideError) || error.status !== 400) throw error
    const messages = Object.values(error.errors).flat().join(' ')
    throw new Failure(
      'failed',
      `The server could not verify the upload: ${messages || error.message} Rerun the command to try again.`,
    )
  }
}

function partName(filename: string, part: PlannedPart): string {
  return part.number === 0 ? filename : `${filename}, part ${part.number}`
}

function sum(tasks: Task[]): number {
  return tasks.reduce((total, { part }) => total + part.sizeBytes, 0)
}
