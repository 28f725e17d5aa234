import type { Chunk } from '@quayside/sdk/chunk-index'
import type { FetchedIndex } from './fetch-index.ts'
import type { FoundChunks } from './find-chunks.ts'

/** Returns how many bytes of chunks have to be fetched that local files do not contain, without their known pieces. */
export async function costOfChunks(
  index: FetchedIndex,
  missing: readonly Chunk[],
  { pieces }: FoundChunks,
  signal: AbortSignal,
): Promise<number> {
  const unique = [...new Map(missing.map((chunk) => [chunk.sha256, chunk])).values()]
  await pieces.find(index, unique, signal)
  return unique.reduce((sum, chunk) => sum + chunk.sizeBytes - pieces.knownBytesOf(chunk), 0)
}
