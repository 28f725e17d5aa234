import { QuaysideError, type RequestMetadataUploadResponse } from '@quayside/sdk'
import { storedText } from '../../../api/browser.ts'
import { api } from '../../../api/client.ts'
import { abortUpload } from '../../../upload/abort-upload.ts'
import { createConnectionSlots } from '../../../upload/connection-slots.ts'
import { retryUntilDone } from '../../../upload/retry-until-done.ts'
import { sendParts } from '../../../upload/send-parts.ts'
import { sourceOf } from '../../../upload/upload-source.ts'

type Options = {
  signal: AbortSignal
  /** Called with the share that has been sent, between 0 and 1. */
  onProgress: (share: number) => void
}

const connections = 3

/**
 * Adds a file to the artifacts of a build. A large file is sent in parts. If the same file is chosen again after an
 * interruption, such as a reload of the page, only the missing parts are sent.
 */
export async function uploadArtifact(buildId: string, file: File, options: Options): Promise<void> {
  const { signal, onProgress } = options
  const key = `artifact-upload ${buildId} ${file.name} ${file.size} ${file.lastModified}`
  const retry = <T>(call: () => Promise<T>) => retryUntilDone(call, { signal, onWait: () => {} })
  const request = () =>
    retry(() =>
      api.requestMetadataUpload({ body: { build_id: buildId, filename: file.name, size_bytes: file.size } }),
    )
  const slots = createConnectionSlots(connections)
  let id = await findOpenUpload(storedText(key), signal)
  let requested: RequestMetadataUploadResponse | undefined
  if (id === undefined) {
    requested = await request()
    id = requested.metadata_pending_upload_id
    // A single PUT starts over after an interruption, so only uploads in parts are resumed.
    if (requested.chunked_upload) localStorage.setItem(key, id)
  }
  const pendingUploadId = id
  try {
    const { data } = await retry(() => api.getUpload({ pending_upload_id: pendingUploadId }, { signal }))
    const [remote] = data.files
    if (remote === undefined) throw new Error('The upload has no file.')
    const target = requested?.presigned_upload_data
    const etags = await sendParts(remote, {
      client: api,
      slots,
      order: 0,
      pendingUploadId,
      file: sourceOf(file),
      signal,
      onWait: () => {},
      onSent: (bytes) => onProgress(bytes / Math.max(1, file.size)),
      signWhole: () => Promise.resolve(target ?? { url: '', headers: {} }),
    })
    const chunks = etags?.map((etag, index) => ({ PartNumber: index + 1, ETag: etag }))
    const body = { pending_upload_id: pendingUploadId, ...(chunks && { multipart_chunks: chunks }) }
    await retry(() => api.verifyMetadataUpload({ body }, { idempotent: true }))
    localStorage.removeItem(key)
  } catch (error) {
    if (signal.aborted) {
      localStorage.removeItem(key)
      await abortUpload(api, pendingUploadId)
    }
    throw error
  }
}

/** Returns the ID of an upload that was interrupted, or undefined if it cannot be resumed. */
async function findOpenUpload(id: string | null, signal: AbortSignal): Promise<string | undefined> {
  if (id === null) return undefined
  try {
    const { data } = await api.getUpload({ pending_upload_id: id }, { signal })
    return data.state === 'requested' ? id : undefined
  } catch (error) {
    if (error instanceof QuaysideError) return undefined
    throw error
  }
}
