import type { StagedPart } from '../../storage/driver.ts'
import type { BuildDraft } from './upload-draft.ts'

export type UploadState = 'requested' | 'verifying' | 'verified' | 'aborted' | 'expired'

export type PendingFile = {
  id: string
  role: 'primary' | 'expansion' | 'metadata'
  filename: string
  size_bytes: number
  content_type: string
  filetype: string
  object_key: string
  multipart_id: string | null
  number_of_parts: number | null
  part_size_mb: number | null
  chosen_parts: StagedPart[] | null
}

export type MetadataDraft = { filename: string }

export type PendingUpload = {
  id: string
  kind: 'build' | 'metadata'
  workspace_id: string
  application_id: string
  state: UploadState
  draft: BuildDraft | MetadataDraft
  stream_id: string | null
  build_id: string | null
  for_pending_upload_id: string | null
  artifact_id: string | null
  expires_at: string
  has_expired: boolean
  lease_has_lapsed: boolean
  /** Waiting, and its last activity was over a minute ago. */
  is_idle: boolean
  files: PendingFile[]
}

const mebibyte = 1024 * 1024
const mostParts = 10_000
/** Largest body of one PUT: 5 GiB, S3's own limit. */
export const largestPutBytes = 5 * 1024 * mebibyte

/** Whole MiB parts that cover the file, as few as fit; null where one PUT is advised. */
export function chunksFor(
  file: { role: string; size_bytes: number },
  { chunkThresholdMb, partSizeMb }: { chunkThresholdMb: number; partSizeMb: number },
): { numberOfParts: number; partSizeMb: number } | null {
  // real clients cannot send an expansion file in parts unless one PUT is impossible
  const threshold = file.role === 'primary' ? chunkThresholdMb * mebibyte : largestPutBytes + 1
  if (file.size_bytes < Math.min(threshold, largestPutBytes + 1)) return null
  const size = Math.max(partSizeMb, Math.ceil(file.size_bytes / mostParts / mebibyte))
  return { partSizeMb: size, numberOfParts: Math.ceil(file.size_bytes / (size * mebibyte)) }
}
