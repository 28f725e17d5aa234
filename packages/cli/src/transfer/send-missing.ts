import { fileToSend } from '../compose/compose-files.ts'
import { Failure } from '../failure.ts'
import type { Progress, ProgressOptions } from '../output/progress.ts'
import { planPuts } from './find-resumable.ts'
import type { StoredParts } from './find-resumable.ts'
import type { LocalFile } from './local-file.ts'
import { runInParallel } from './part-plan.ts'
import type { PlannedPart } from './part-plan.ts'
import { originAdvice, sendRange, UploadLinkExpired } from './send-range.ts'
import type { SignedTarget } from './send-range.ts'
import type { LocalFiles, UploadContext } from './upload-context.ts'
import type { StateFile, UploadState } from './upload-state.ts'

export type OpenUpload = { state: UploadState; stored: StoredParts }
type Task = { saved: StateFile; file: LocalFile; part: PlannedPart }

/** Sends the parts that storage does not have. Returns the number of bytes sent. */
export async function sendMissing(
  context: UploadContext,
  upload: OpenUpload,
  files: LocalFiles,
): Promise<number> {
  const { state, stored } = upload
  const tasks = state.files.flatMap((saved) => {
    const file = fileToSend(files, saved)
    const { sizeBytes } = file
    return planPuts({ sizeBytes, partSizeMb: saved.partSizeMb }).map((part) => ({ saved, file, part }))
  })
  const missing = tasks.filter(({ saved, part }) => !stored[saved.role].has(part.number))
  const alreadyDoneBytes = sum(tasks) - sum(missing)
  const storedCount = tasks.length - missing.length
  if (storedCount > 0)
    context.output.note(`Resuming: ${storedCount} of ${tasks.length} parts already uploaded.`)
  if (missing.length === 0) return 0
  const label = files[0]?.file.filename ?? ''
  const progress = context.output.progress({
    label,
    totalBytes: sum(tasks),
    alreadyDoneBytes,
    ...countFiles(tasks, missing),
  })
  try {
    await runInParallel(missing, context.parallel, context.signal, async ({ saved, file, part }, signal) => {
      const { etag } = await sendRange({
        file,
        start: part.start,
        sizeBytes: part.sizeBytes,
        server: context.server,
        agents: context.agents,
        signal,
        onBytes: countingFiles(file, part, progress),
        onRetry: (reason) => context.output.note(`${partName(file.filename, part)}: ${reason}. Retrying.`),
        target: (fresh) => signTarget(context, state.pendingUploadId, saved, part, fresh),
      })
      stored[saved.role].set(part.number, etag)
    })
  } catch (error) {
    if (!context.signal.aborted) throw error
    const done = Object.values(stored).reduce((count, parts) => count + parts.size, 0)
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
  const request = saved.role === 'expansion' ? client.requestExpansionUploadPart : client.requestUploadPart
  const response = await request({ body }, { signal, idempotent: true, retries: 8 })
  return { url: response.part_presigned_url, headers: {} }
}

/** Returns the stored parts of the files that are uploaded in parts, as verify calls list them. */
export const listChunks = ({ state, stored }: OpenUpload): { PartNumber: number; ETag: string }[] =>
  state.files
    .filter((saved) => saved.partSizeMb !== null)
    .flatMap((saved) => [...stored[saved.role]].toSorted(([a], [b]) => a - b))
    .map(([number, etag]) => ({ PartNumber: number, ETag: etag }))

function partName(filename: string, part: PlannedPart): string {
  return part.number === 0 ? filename : `${filename}, part ${part.number}`
}

/** Returns how many files the archives contain that are created from folders, unless there are none. */
function countFiles(
  tasks: Task[],
  missing: Task[],
): Pick<ProgressOptions, 'totalFiles' | 'alreadyDoneFiles'> {
  const count = (counted: Task[]): number =>
    counted.reduce((total, { file, part }) => total + (file.countFiles?.(part) ?? 0), 0)
  const totalFiles = count(tasks)
  return totalFiles === 0 ? {} : { totalFiles, alreadyDoneFiles: totalFiles - count(missing) }
}

/** Returns a function that adds sent bytes, and the files of an archive that end there. */
function countingFiles(file: LocalFile, { start }: PlannedPart, progress: Progress): (bytes: number) => void {
  let sentBytes = 0
  let doneFiles = 0
  return (bytes) => {
    sentBytes += bytes
    const files = file.countFiles?.({ start, sizeBytes: sentBytes }) ?? 0
    progress.add(bytes, files - doneFiles)
    doneFiles = files
  }
}

function sum(tasks: Task[]): number {
  return tasks.reduce((total, { part }) => total + part.sizeBytes, 0)
}
