import { setTimeout as sleep } from 'node:timers/promises'
import { QuaysideError } from '@quayside/sdk'
import type { FullBuild } from '@quayside/sdk'
import { Failure } from '../failure.ts'
import { abortQuietly, findResumable, plannedParts, remoteUpload } from './find-resumable.ts'
import type { Resumable, StoredParts } from './find-resumable.ts'
import { FileChanged, requireUnchanged } from './local-file.ts'
import { inParallel } from './part-plan.ts'
import type { PlannedPart } from './part-plan.ts'
import { sendRange, TargetRefused } from './send-range.ts'
import type { SignedTarget } from './send-range.ts'
import { startUpload } from './start-upload.ts'
import { fileOf } from './upload-context.ts'
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
 * Takes a build to the service: goes on with a broken-off upload of the same file and settings, or starts one;
 * sends what is missing and verifies. The state stays on disk for the caller to remove.
 */
export async function uploadBuild(
  context: UploadContext,
  applicationId: string,
  body: UploadBody,
  files: LocalFiles,
): Promise<UploadedBuild> {
  const fingerprint = requestFingerprint(body)
  let found: Resumable = await findResumable(context, fingerprint, files)
  for (let attempt = 0; ; attempt++) {
    if (found.kind === 'verified') return finishedBuild(context, applicationId, found.buildId)
    const upload = found.kind === 'open' ? found : await startUpload(context, body, fingerprint, files)
    try {
      const sentBytes = await sendMissing(context, upload, files)
      return await verify(context, upload, files, sentBytes)
    } catch (error) {
      if (error instanceof FileChanged || error instanceof TargetRefused) {
        await abortQuietly(context, upload.state.pendingUploadId)
        await removeState(context.statePath)
      }
      const buildId = await doneElsewhere(context, upload.state.pendingUploadId, error)
      if (buildId !== undefined) {
        found = { kind: 'verified', buildId }
      } else if (error instanceof TargetRefused && attempt === 0) {
        context.output.note('The link for the file has expired: starting over.')
        found = { kind: 'none' }
      } else if (context.signal.aborted && !(error instanceof Failure)) {
        const advice = 'run the same command again, nothing is sent twice'
        throw new Failure('interrupted', `Interrupted before the server confirmed the build: ${advice}.`)
      } else {
        throw error
      }
    }
  }
}

/** Another run of the same command may have been faster: then our PUTs are refused, but the build is there. */
async function doneElsewhere(
  context: UploadContext,
  id: string,
  error: unknown,
): Promise<string | undefined> {
  if (!(error instanceof Failure) || error instanceof FileChanged || context.signal.aborted) return undefined
  for (let look = 0; look < 20; look++) {
    const remote = await remoteUpload(context, id).catch(() => undefined)
    if (remote?.state === 'verified') return remote.build_id ?? undefined
    if (remote?.state !== 'verifying') return undefined
    // Its bytes are sealed before the build is there.
    await sleep(500)
  }
  return undefined
}

async function finishedBuild(
  { client, output }: UploadContext,
  applicationId: string,
  buildId: string,
): Promise<UploadedBuild> {
  output.note('This upload was finished by an earlier run: nothing is sent again.')
  const { data: build } = await client.getBuild({ application_id: applicationId, build_id: buildId })
  return { build, pendingProcessing: build.pending, sentBytes: 0, reusedBytes: build.size_total_bytes }
}

async function sendMissing(context: UploadContext, upload: OpenUpload, files: LocalFiles): Promise<number> {
  const { state, stored } = upload
  const tasks = state.files.flatMap((saved) => plannedParts(saved).map((part) => ({ saved, part })))
  const missing = tasks.filter(({ saved, part }) => !stored[saved.role].has(part.number))
  const alreadyDoneBytes = sum(tasks) - sum(missing)
  const there = tasks.length - missing.length
  if (there > 0) context.output.note(`resuming: ${there} of ${tasks.length} parts already there`)
  if (missing.length === 0) return 0
  const label = fileOf(files, 'primary').filename
  const progress = context.output.progress({ label, totalBytes: sum(tasks), alreadyDoneBytes })
  try {
    await inParallel(missing, context.parallel, context.signal, async ({ saved, part }, signal) => {
      const file = fileOf(files, saved.role)
      const { etag } = await sendRange({
        file,
        start: part.start,
        sizeBytes: part.sizeBytes,
        agents: context.agents,
        signal,
        onBytes: (bytes) => progress.add(bytes),
        onRetry: (reason) => context.output.note(`${nameOf(file.filename, part)}: ${reason}; trying again`),
        target: (fresh) => targetOf(context, state.pendingUploadId, saved, part, fresh),
      })
      stored[saved.role].set(part.number, etag)
    })
  } catch (error) {
    if (!context.signal.aborted) throw error
    const done = stored.primary.size + stored.expansion.size
    throw new Failure(
      'interrupted',
      `Interrupted with ${done} of ${tasks.length} parts stored: run the same command again to send only the rest.`,
    )
  } finally {
    progress.end()
  }
  return sum(missing)
}

async function targetOf(
  { client, signal }: UploadContext,
  pendingUploadId: string,
  saved: StateFile,
  part: PlannedPart,
  fresh: boolean,
): Promise<SignedTarget> {
  if (part.number === 0) {
    if (fresh || saved.target === null)
      throw new TargetRefused('failed', 'The storage refuses the link for the file.')
    return saved.target
  }
  const body = {
    pending_upload_id: pendingUploadId,
    part_number: part.number,
    content_length: part.sizeBytes,
  }
  const request = saved.role === 'primary' ? client.requestUploadPart : client.requestExpansionUploadPart
  const answer = await request({ body }, { signal, repeatable: true, retries: 8 })
  return { url: answer.part_presigned_url, headers: {} }
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
    const answer = await client.verifyUpload({ body }, { signal, repeatable: true, retries: 8 })
    const totalBytes = state.files.reduce((total, file) => total + file.sizeBytes, 0)
    const reusedBytes = totalBytes - sentBytes
    return { build: answer.build, pendingProcessing: answer.pending_processing, sentBytes, reusedBytes }
  } catch (error) {
    if (!(error instanceof QuaysideError) || error.status !== 400) throw error
    const texts = Object.values(error.errors).flat().join(' ')
    throw new Failure(
      'failed',
      `The server could not verify the upload: ${texts || error.message} Run this again.`,
    )
  }
}

function nameOf(filename: string, part: PlannedPart): string {
  return part.number === 0 ? filename : `${filename}, part ${part.number}`
}

function sum(tasks: Task[]): number {
  return tasks.reduce((total, { part }) => total + part.sizeBytes, 0)
}
