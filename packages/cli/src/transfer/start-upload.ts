import type { RequestUploadResponse } from '@quayside/sdk'
import { composeFile } from '../compose/compose-files.ts'
import type { PlannedFiles } from '../compose/compose-files.ts'
import { Failure } from '../failure.ts'
import { fileErrorReason } from '../files/file-error.ts'
import { noParts } from './find-resumable.ts'
import type { NewRanges, StoredParts } from './find-resumable.ts'
import { requireLocalFile } from './upload-context.ts'
import type { LocalFiles, UploadBody, UploadContext } from './upload-context.ts'
import { saveState } from './upload-state.ts'
import type { StateFile, UploadState } from './upload-state.ts'

/**
 * Requests a new upload and saves the state that a later run needs to resume it. Files in `planned` take bytes from other
 * builds. `newRanges` are those of an upload that is resumed.
 */
export async function startUpload(
  context: UploadContext,
  body: UploadBody,
  fingerprint: string,
  files: LocalFiles,
  { planned = {}, newRanges = {} }: { planned?: PlannedFiles; newRanges?: NewRanges } = {},
): Promise<{ state: UploadState; stored: StoredParts }> {
  const { client, output, signal, statePath } = context
  // Retrying is safe. At worst, a retry leaves an unused pending upload, which expires.
  const response = await client.requestUpload({ body }, { signal, idempotent: true })
  const state: UploadState = {
    pendingUploadId: response.pending_upload_id,
    fingerprint,
    files: files.map(({ role, file }): StateFile => {
      const target = role === 'primary' ? response.primary_file : response.expansion_files[0]
      if (!target)
        throw new Failure('failed', 'The server returned no URL for the expansion file. Rerun the command.')
      return {
        role,
        path: file.path,
        sizeBytes: file.sizeBytes,
        revision: file.revision,
        ...chooseMethod(target),
        ...(newRanges[role] && { newRanges: newRanges[role] }),
      }
    }),
  }
  for (const saved of state.files) {
    const plan = planned[saved.role]
    const file = requireLocalFile(files, saved.role)
    if (plan !== undefined)
      Object.assign(
        saved,
        await composeFile(context, state.pendingUploadId, file, { role: saved.role, plan }),
      )
  }
  await trySaveState({ output, statePath }, state)
  return { state, stored: noParts() }
}

/** Saves the state. Only resuming depends on it, so an upload continues without it. */
export async function trySaveState(
  { output, statePath }: Pick<UploadContext, 'output' | 'statePath'>,
  state: UploadState,
): Promise<void> {
  try {
    await saveState(statePath, state)
  } catch (error) {
    const reason = fileErrorReason(error)
    output.note(
      `Cannot save the upload state (${reason}). This upload cannot be resumed if it is interrupted.`,
    )
  }
}

function chooseMethod(
  target: RequestUploadResponse['primary_file'],
): Pick<StateFile, 'partSizeMb' | 'target'> {
  if (target.chunked_part_size_mb !== null && (target.chunked_upload || target.presigned_data === null)) {
    return { partSizeMb: target.chunked_part_size_mb, target: null }
  }
  return { partSizeMb: null, target: target.presigned_data }
}
