import type { RequestUploadAnswer } from '@quayside/sdk'
import { Failure } from '../failure.ts'
import type { StoredParts } from './find-resumable.ts'
import type { LocalFiles, UploadBody, UploadContext } from './upload-context.ts'
import { saveState } from './upload-state.ts'
import type { StateFile, UploadState } from './upload-state.ts'

/** Asks for a new upload and keeps on disk what a later run needs to go on with it. */
export async function startUpload(
  { client, output, signal, statePath }: UploadContext,
  body: UploadBody,
  fingerprint: string,
  files: LocalFiles,
): Promise<{ state: UploadState; stored: StoredParts }> {
  // Twice asked leaves at most a pending upload that nobody fills and that expires.
  const answer = await client.requestUpload({ body }, { signal, repeatable: true })
  const state: UploadState = {
    pendingUploadId: answer.pending_upload_id,
    fingerprint,
    files: files.map(({ role, file }): StateFile => {
      const wanted = role === 'primary' ? answer.primary_file : answer.expansion_files[0]
      if (!wanted) throw new Failure('failed', 'The server did not say where the expansion file goes.')
      return {
        role,
        path: file.path,
        sizeBytes: file.sizeBytes,
        mtimeNs: file.mtimeNs,
        ...howToSend(wanted),
      }
    }),
  }
  try {
    await saveState(statePath, state)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    output.note(`Cannot keep what a broken-off upload needs to go on (${reason}); uploading all the same.`)
  }
  return { state, stored: { primary: new Map(), expansion: new Map() } }
}

function howToSend(wanted: RequestUploadAnswer['primary_file']): Pick<StateFile, 'partSizeMb' | 'target'> {
  if (wanted.chunked_part_size_mb !== null && (wanted.chunked_upload || wanted.presigned_data === null)) {
    return { partSizeMb: wanted.chunked_part_size_mb, target: null }
  }
  return { partSizeMb: null, target: wanted.presigned_data }
}
