import type { Chunk } from '@quayside/sdk/chunk-index'
import type { KnownRange } from './compose-chunks.ts'
import type { FetchedIndex } from './fetch-index.ts'
import { readBytes, searchPieces } from './search-pieces.ts'
import type { LocalSource, Region } from './search-pieces.ts'

type Place = { source: LocalSource; position: number }

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
  async find(index: FetchedIndex, missing: readonly Chunk[], signal: AbortSignal): Promise<void> {
    this.#pieceBytes = index.pieces?.pieceBytes ?? 0
    const found = searchPieces(index, missing, this.#regions, signal)
    for await (const { piece, source, position, equal } of found)
      if (!this.#places.has(piece)) for (const each of equal) this.#places.set(each, { source, position })
  }

  /** Returns the paths of the files that contain pieces of a chunk. */
  pathsOf(chunk: Chunk): Set<string> {
    return new Set([...this.#placesOf(chunk)].map(({ source }) => source.path))
  }

  /** Returns how many bytes of a chunk are in pieces that local files contain. */
  knownBytesOf(chunk: Chunk): number {
    let bytes = 0
    for (const { start, end } of this.#placesOf(chunk)) bytes += end - start
    return bytes
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
