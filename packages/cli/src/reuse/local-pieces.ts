import type { Chunk } from '@quayside/sdk/chunk-index'
import { PieceSearch } from '@quayside/sdk/piece-sums'
import { crc32 } from '../archive/read-content.ts'
import { Failure } from '../failure.ts'
import { isFileError } from '../files/file-error.ts'
import { runInParallel } from '../transfer/part-plan.ts'
import type { KnownRange } from './compose-chunks.ts'
import type { FetchedIndex } from './fetch-index.ts'
import { ReuseError } from './reuse-context.ts'

/** A local file whose bytes are compared with those of the file. */
export type LocalSource = {
  path: string
  sizeBytes: number
  /** Fills `bytes` from `position`, or up to the end. Returns the number of bytes read. */
  read: (bytes: Buffer, position: number) => Promise<number>
}

type Region = { source: LocalSource; start: number; end: number }
type Place = { source: LocalSource; position: number }
type PieceRange = { first: number; end: number }

const searchedBytes = 1024 * 1024
/** Checksums between two ranges are fetched too if a request costs as much. */
const maxUnneededSums = 256
/** More need more memory than they are worth. */
const maxPieces = 2 ** 20
const parallelRequests = 4

/**
 * Pieces of chunks that no local file contains, in the local bytes between the chunks that are known. The chunks are
 * verified after they were put together.
 */
export class LocalPieces {
  readonly #regions: Region[] = []
  readonly #places = new Map<number, Place>()
  #pieceBytes = 0

  /** Adds local bytes that are not in a chunk of the file. */
  addRegion(source: LocalSource, start: number, sizeBytes: number): void {
    const last = this.#regions.at(-1)
    if (last?.source === source && last.end === start) last.end += sizeBytes
    else this.#regions.push({ source, start, end: start + sizeBytes })
  }

  /** Searches the regions for pieces of chunks, which are in the order of their positions. */
  async find(
    { pieces, fetchSums }: FetchedIndex,
    missing: readonly Chunk[],
    signal: AbortSignal,
  ): Promise<void> {
    if (pieces === undefined || missing.length === 0 || this.#regions.length === 0) return
    this.#pieceBytes = pieces.pieceBytes
    const ranges = rangesOf(missing, pieces)
    const count = ranges.reduce((sum, { first, end }) => sum + end - first, 0)
    const search = new PieceSearch(pieces.pieceBytes, count, crc32)
    try {
      await runInParallel(ranges, parallelRequests, signal, async ({ first, end }) => {
        search.add(first, await fetchSums(first, end - first))
      })
    } catch (error) {
      signal.throwIfAborted()
      // Without checksums, whole chunks are fetched.
      if (error instanceof ReuseError) return
      throw error
    }
    for (const region of this.#regions) await this.#search(search, region, signal)
  }

  /** Searches a region and the bytes around it, with which pieces can start and end. */
  async #search(search: PieceSearch, { source, start, end }: Region, signal: AbortSignal): Promise<void> {
    const margin = this.#pieceBytes - 1
    const searchedEnd = Math.min(source.sizeBytes, end + margin)
    const buffer = Buffer.allocUnsafe(searchedBytes + margin)
    for (let position = Math.max(0, start - margin); position < searchedEnd; position += searchedBytes) {
      signal.throwIfAborted()
      const part = buffer.subarray(0, searchedEnd - position)
      const bytes = await readBytes(source, part, position)
      if (bytes === undefined) return
      search.search(bytes, (piece, at) => {
        if (!this.#places.has(piece)) this.#places.set(piece, { source, position: position + at })
      })
    }
  }

  /** Returns the paths of the files that contain pieces of a chunk. */
  pathsOf(chunk: Chunk): Set<string> {
    return new Set([...this.#placesOf(chunk)].map(({ source }) => source.path))
  }

  /** Fills the pieces of a chunk that local files contain. Returns their ranges. */
  async fill(chunk: Chunk, bytes: Buffer): Promise<KnownRange[]> {
    const known: KnownRange[] = []
    for (const { source, position, start, end } of this.#placesOf(chunk)) {
      const part = bytes.subarray(start - chunk.start, end - chunk.start)
      if ((await readBytes(source, part, position))?.length === part.length) known.push({ start, end })
    }
    return known
  }

  /** Yields the consecutive local bytes of a chunk. */
  *#placesOf({ start, sizeBytes }: Chunk): Generator<Place & { start: number; end: number }> {
    const length = this.#pieceBytes
    if (this.#places.size === 0) return
    const chunkEnd = start + sizeBytes
    let last: (Place & { start: number; end: number }) | undefined
    for (let piece = Math.floor(start / length); piece * length < chunkEnd; piece++) {
      const place = this.#places.get(piece)
      if (place === undefined) continue
      const from = Math.max(start, piece * length)
      const end = Math.min(chunkEnd, (piece + 1) * length)
      const position = place.position + from - piece * length
      const isNext =
        last?.source === place.source && last.end === from && last.position + from - last.start === position
      if (last !== undefined && isNext) last.end = end
      else {
        if (last !== undefined) yield last
        last = { source: place.source, position, start: from, end }
      }
    }
    if (last !== undefined) yield last
  }
}

/** Returns the bytes of a source, or undefined if it was changed or cannot be read. */
async function readBytes(source: LocalSource, bytes: Buffer, position: number): Promise<Buffer | undefined> {
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
