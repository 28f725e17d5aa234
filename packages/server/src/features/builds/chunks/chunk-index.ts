import type { Deps } from '../../../deps.ts'
import { problem } from '../../../lib/problem.ts'

/** Smaller files have no chunk index. The trigger `require_chunk_index` and the SDK know the same size. */
export const minIndexedBytes = 1024 * 1024

type LinkOptions = { expiresInSeconds: number; isDirect?: boolean }

/** Returns a signed URL of the chunk index of a file. */
export const signChunkIndex = (
  storage: Deps['storage'],
  { file_id: fileId, object_key: key }: { file_id: string; object_key: string },
  options: LinkOptions,
): Promise<string> =>
  storage.signGet(
    { key },
    { filename: `${fileId}.chunks`, contentType: 'application/octet-stream', ...options },
  )

const retryAfterSeconds = 60

export const chunksPending = problem(
  'not_found',
  'chunk_index.pending',
  'The chunk index of this file is not computed yet. Try again in a minute, or download the whole file.',
  { retryAfterSeconds },
)

export const chunksUnavailable = problem(
  'not_found',
  'chunk_index.unavailable',
  'This file has no chunk index, because it is smaller than 1 MiB or damaged. Download the whole file.',
)
