import type { PendingFile } from './pending-upload.db.ts'
import { maxParts, maxPutBytes } from './upload-request.ts'

const mebibyte = 1024 * 1024

export type PartConfig = { chunkThresholdMb: number; partSizeMb: number }

/** Returns the recommended number of parts and part size in MiB, or null if a single PUT is recommended. */
export function recommendParts(
  file: { role: PendingFile['role']; size_bytes: number },
  { chunkThresholdMb, partSizeMb, prefersWhole = false }: PartConfig & { prefersWhole?: boolean },
): { numberOfParts: number; partSizeMb: number } | null {
  // Existing clients send an expansion file in parts only when a single PUT is impossible.
  const isWhole = file.role === 'expansion' || prefersWhole
  const threshold = isWhole ? maxPutBytes + 1 : chunkThresholdMb * mebibyte
  if (file.size_bytes < Math.min(threshold, maxPutBytes + 1)) return null
  const size = Math.max(partSizeMb, Math.ceil(file.size_bytes / maxParts / mebibyte))
  return { partSizeMb: size, numberOfParts: Math.ceil(file.size_bytes / (size * mebibyte)) }
}
