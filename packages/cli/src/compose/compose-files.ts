import { QuaysideError } from '@quayside/sdk'
import { newRangesOf } from '@quayside/sdk/composition'
import { formatSize } from '../output/format.ts'
import { checksumWithProgress } from '../transfer/file-checksum.ts'
import { FileChangedError } from '../transfer/local-file.ts'
import type { ByteRange, LocalFile } from '../transfer/local-file.ts'
import { requireLocalFile } from '../transfer/upload-context.ts'
import type { LocalFiles, UploadBody, UploadContext } from '../transfer/upload-context.ts'
import type { FileRole, StateFile } from '../transfer/upload-state.ts'
import { composedFile } from './composed-file.ts'
import { planComposition } from './plan-composition.ts'
import type { PlannedComposition, Reuse } from './plan-composition.ts'

export type PlannedFiles = Partial<Record<FileRole, PlannedComposition>>

/** Plans the files that can take bytes from other builds. Never fails because of the server. */
export async function planFiles(
  context: UploadContext,
  body: UploadBody,
  files: LocalFiles,
  reuse: Reuse,
): Promise<PlannedFiles> {
  const planned: PlannedFiles = {}
  for (const { role, file } of files) {
    try {
      const plan = await planComposition(context, body, { role, file, reuse })
      if (plan !== undefined) planned[role] = plan
    } catch (error) {
      context.signal.throwIfAborted()
      if (error instanceof FileChangedError) throw error
      context.output.note(
        `Sending all of ${file.filename}, because it could not be compared with other builds.`,
      )
    }
  }
  return planned
}

type HowToSend = Pick<StateFile, 'partSizeMb' | 'target' | 'newRanges' | 'hasPieces'>

/** Requests that a file takes bytes from other builds. Returns undefined if all of it has to be sent. */
export async function composeFile(
  { client, output, signal }: UploadContext,
  pendingUploadId: string,
  file: LocalFile,
  { role, plan }: { role: FileRole; plan: PlannedComposition },
): Promise<HowToSend | undefined> {
  const body = {
    role: role === 'expansion' ? ('expansion' as const) : ('primary' as const),
    checksum_sha256: plan.checksumSha256,
    ranges: plan.ranges,
  }
  try {
    const { data } = await client.composeUpload({ pending_upload_id: pendingUploadId, body }, { signal })
    output.note(
      `${file.filename}: reusing ${formatSize(data.reused_bytes)}, sending ${formatSize(data.new_bytes)}.`,
    )
    const inParts = data.chunked_upload || data.presigned_data === null
    return {
      partSizeMb: inParts ? (data.chunked_part_size_mb ?? 1) : null,
      target: inParts ? null : data.presigned_data,
      newRanges: newRangesOf(plan.ranges),
      hasPieces: plan.hasPieces,
    }
  } catch (error) {
    // Older servers do not have the endpoint, and not every store can take bytes from other files.
    if (!(error instanceof QuaysideError)) throw error
    if (error.status !== 404 && error.status !== 405)
      output.note(`Sending all of ${file.filename}. ${error.message}`)
    return undefined
  }
}

/** Returns what is sent of a file of an upload: all of it, or its new bytes. */
export function fileToSend(
  files: LocalFiles,
  { role, newRanges }: Pick<StateFile, 'role' | 'newRanges'>,
): LocalFile {
  const file = requireLocalFile(files, role)
  return newRanges === undefined ? file : composedFile(file, newRanges)
}

/** Returns the new bytes of a file that another run has composed, or undefined if the local file is a different one. */
export async function findNewRanges(
  context: UploadContext,
  pendingUploadId: string,
  role: FileRole,
  file: LocalFile,
): Promise<ByteRange[] | undefined> {
  const { data } = await context.client.getComposition(
    { pending_upload_id: pendingUploadId, role: role === 'expansion' ? 'expansion' : 'primary' },
    { signal: context.signal },
  )
  if ((await checksumWithProgress(context, file, 'sha256')) !== data.checksum_sha256) return undefined
  return data.new_ranges.map(({ offset, size_bytes }) => ({ start: offset, sizeBytes: size_bytes }))
}
