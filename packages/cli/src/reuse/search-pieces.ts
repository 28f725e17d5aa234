import type { Chunk } from '@quayside/sdk/chunk-index'
import { PieceSearch } from '@quayside/sdk/piece-sums'
import { crc32 } from '../archive/read-content.ts'
import { Failure } from '../failure.ts'
import { isFileError } from '../files/file-error.ts'
import { runInParallel } from '../transfer/part-plan.ts'
import type { FetchedIndex } from './fetch-index.ts'
import { ReuseError } from './reuse-context.ts'

/** A local file whose bytes are compared with those of a file on the server. */
export type LocalSource = {
  path: string
  sizeBytes: number
  /** Fills `bytes` from `position`, or up to the end. Returns the number of bytes read. */
  read: (bytes: Buffer, position: number) => Promise<number>
}

export type Region = { source: LocalSource; start: number; end: number }

/** A piece that a local file contains. `equal` yields the numbers of all pieces with its checksums. */
type FoundPiece = { piece: number; source: LocalSource; position: number; equal: Iterable<number> }

type PieceRange = { first: number; end: number }

const searchedBytes = 1024 * 1024
/** Checksums between two ranges are fetched too if a request costs as much. */
const maxUnneededSums = 256
/** More need more memory than they are worth. */
const maxPieces = 2 ** 20
const parallelRequests = 4

/**
 * Searches regions of local files, and the bytes around them with which pieces can start and end, for pieces of chunks.
 * The chunks must be in the order of their positions.
 */
export async function* searchPieces(
  { pieces, fetchSums }: FetchedIndex,
  chunks: readonly Chunk[],
  regions: readonly Region[],
  signal: AbortSignal,
): AsyncGenerator<FoundPiece> {
  if (pieces === undefined || chunks.length === 0 || regions.length === 0) return
  const ranges = rangesOf(chunks, pieces)
  const count = ranges.reduce((sum, { first, end }) => sum + end - first, 0)
  const search = new PieceSearch(pieces.pieceBytes, count, crc32)
  try {
    await runInParallel(ranges, parallelRequests, signal, async ({ first, end }) => {
      search.add(first, await fetchSums(first, end - first))
    })
  } catch (error) {
    signal.throwIfAborted()
    // Without checksums, whole chunks are transferred.
    if (error instanceof ReuseError) return
    throw error
  }
  const margin = pieces.pieceBytes - 1
  const buffer = Buffer.allocUnsafe(searchedBytes + margin)
  for (const { source, start, end } of regions) {
    const searchedEnd = Math.min(source.sizeBytes, end + margin)
    for (let position = Math.max(0, start - margin); position < searchedEnd; position += searchedBytes) {
      signal.throwIfAborted()
      const bytes = await readBytes(source, buffer.subarray(0, searchedEnd - position), position)
      if (bytes === undefined) break
      const found: FoundPiece[] = []
      search.search(bytes, (piece, at, equal) =>
        found.push({ piece, source, position: position + at, equal }),
      )
      yield* found
    }
  }
}

/** Returns the bytes of a source, or undefined if it was changed or cannot be read. */
export async function readBytes(
  source: LocalSource,
  bytes: Buffer,
  position: number,
): Promise<Buffer | undefined> {
  try {
    return bytes.subarray(0, await source.read(bytes, position))
  } catch (error) {
    if (error instanceof Failure || isFileError(error)) return undefined
    throw error
  }
}

/** Returns the pieces that overlap chunks. */
function rangesOf(chunks: readonly Chunk[], pieces: { pieceBytes: number; count: number }): PieceRange[] {
  const ranges: PieceRange[] = []
  let leftPieces = maxPieces
  for (const { start, sizeBytes } of chunks) {
    const first = Math.floor(start / pieces.pieceBytes)
    const end = Math.min(pieces.count, Math.ceil((start + sizeBytes) / pieces.pieceBytes))
    const last = ranges.at(-1)
    const added = end - Math.max(first, last?.end ?? 0)
    if (added <= 0) continue
    if (added > leftPieces) break
    leftPieces -= added
    if (last !== undefined && first <= last.end + maxUnneededSums) last.end = Math.max(last.end, end)
    else ranges.push({ first, end })
  }
  return ranges
}
