import type { QuaysideClient } from '@quayside/sdk'
import { unknownState, type Upload, type UploadRecord } from './upload.ts'
import { uploadedBuild } from './uploaded-build.ts'

/** Returns an interrupted upload with the bytes that the server has stored. */
export async function restoredUpload(client: QuaysideClient, record: UploadRecord): Promise<Upload> {
  const upload: Upload = {
    ...record,
    ...unknownState,
    // Earlier versions have not stored these.
    folderFiles: record.folderFiles ?? null,
    batch: record.batch ?? '',
    fields: { ...record.fields, notes: record.fields.notes ?? '' },
    phase: record.handle === null ? 'needs-file' : 'needs-permission',
  }
  if (record.pendingUploadId === null) return upload
  try {
    const { data: remote } = await client.getUpload({ pending_upload_id: record.pendingUploadId })
    if (remote.state === 'verified') {
      const { build } = await client.verifyUpload({ body: { pending_upload_id: record.pendingUploadId } })
      return { ...upload, phase: 'done', sentBytes: record.sizeBytes, build: uploadedBuild(build) }
    }
    if (remote.state !== 'requested' && remote.state !== 'verifying') return upload
    const [file] = remote.files
    const sentBytes =
      file?.stored === true
        ? record.sizeBytes
        : (file?.parts.reduce((total, { size_bytes: bytes }) => total + bytes, 0) ?? 0)
    return { ...upload, sentBytes }
  } catch {
    // The upload asks the server again when it is resumed, and starts over if the server no longer knows it.
    return upload
  }
}
