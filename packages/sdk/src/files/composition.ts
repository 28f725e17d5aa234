import type { Chunk, ChunkIndex } from './chunk-index.ts'

// docs/upload-the-difference.md describes the protocol.

/** A file of a build on the server, with its chunk index. */
export type ReusableFile = { fileId: string; index: ChunkIndex }

/** A range of the file `file_id` on the server, or of new bytes that the client sends. */
export type ComposedRange = { file_id?: string; offset?: number; size_bytes: number }

/** Where the local file has the bytes of a piece of a file on the server. */
export type FoundPiece = { piece: number; position: number }

/** Bytes of the local file that were found, or new bytes. */
type Run = { file: number; offset: number; sizeBytes: number }

const newBytes = -1

/** The server accepts at most this many ranges. */
export const maxComposedRanges = 10_000

/** Chunks are searched for pieces up to this multiple of the new bytes, so that few checksums are fetched for few bytes. */
const maxSearchedRatio = 16
/** The number of ranges is limited, and each slows every download of the file down. */
const minPieces = 2

type Place = { file: number; chunk: number }

/**
 * Finds the chunks of a local file in files on the server, and then pieces of the chunks that changed. The local file must
 * be cut with the sizes of their indexes, which must be the same for all.
 */
export class CompositionPlanner {
  readonly #files: readonly ReusableFile[]
  readonly #found = new Map<string, Place>()
  readonly #matched = new Set<string>()
  /** For each file, the chunks at the place of new bytes: the next after a chunk before them, the last before one after. */
  readonly #near: Set<number>[]
  #runs: Run[] = []
  #last: Place | undefined

  constructor(files: readonly ReusableFile[]) {
    this.#files = files
    this.#near = files.map(() => new Set())
    for (const [file, { index }] of files.entries())
      for (const [chunk, { sha256 }] of index.chunks.entries())
        if (!this.#found.has(sha256)) this.#found.set(sha256, { file, chunk })
  }

  /** Adds the next chunk of the local file with its SHA-256 in hexadecimal. */
  add(sizeBytes: number, sha256: string): void {
    const previous = this.#last
    this.#last = this.#next(sha256) ?? this.#found.get(sha256)
    const { file = newBytes, chunk = 0 } = this.#last ?? {}
    if (this.#last !== undefined) this.#matched.add(sha256)
    if (previous !== undefined && file === newBytes) this.#near[previous.file]?.add(previous.chunk + 1)
    if (previous === undefined && file !== newBytes) this.#near[file]?.add(chunk - 1)
    const offset = this.#files[file]?.index.chunks[chunk]?.start ?? 0
    append(this.#runs, { file, offset, sizeBytes })
  }

  /** Returns whether the files contain any chunk of the local file. */
  hasFound(): boolean {
    return this.#matched.size > 0
  }

  /** Returns the ranges of the local file that were not found. */
  newRanges(): { start: number; sizeBytes: number }[] {
    return newRangesOf(this.#toRanges(this.#runs))
  }

  /**
   * Returns the chunks of a file whose pieces can be in new ranges of the local file, in the order of their positions. If
   * they are many more than the new bytes, chunks between those that surround a new range are preferred.
   */
  chunksToSearch(file: number): Chunk[] {
    const near: Chunk[] = []
    const others: Chunk[] = []
    let gap: Chunk[] = []
    let isNear = false
    for (const [number, chunk] of [...(this.#files[file]?.index.chunks ?? []), undefined].entries()) {
      const first = this.#found.get(chunk?.sha256 ?? '')
      if (chunk === undefined || this.#matched.has(chunk.sha256)) {
        for (const each of gap) (isNear ? near : others).push(each)
        gap = []
        isNear = false
      } else if (first?.file === file && first.chunk === number) {
        gap.push(chunk)
        isNear ||= this.#near[file]?.has(number) ?? false
      }
    }
    let leftBytes = maxSearchedRatio * this.newRanges().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    return [...near, ...others]
      .filter(({ sizeBytes }) => (leftBytes -= sizeBytes) >= 0)
      .toSorted((a, b) => a.start - b.start)
  }

  /**
   * Adds pieces of a file that new ranges of the local file contain, in the order of their positions there. They can also
   * overlap the ends of these ranges. Pieces are only likely to be right, so the server can reject the result.
   */
  addPieces(file: number, found: readonly FoundPiece[]): void {
    const pieceBytes = this.#files[file]?.index.pieces?.pieceBytes ?? 0
    const runs: Run[] = []
    let position = 0
    let next = 0
    for (const run of this.#runs) {
      const end = position + run.sizeBytes
      if (run.file !== newBytes) {
        append(runs, run)
        position = end
        continue
      }
      while ((found[next]?.position ?? Infinity) + pieceBytes <= position) next++
      for (let index = next; (found[index]?.position ?? Infinity) < end; index++) {
        const { piece, position: pieceStart } = found[index] as FoundPiece
        const start = Math.max(position, pieceStart)
        const sizeBytes = Math.min(end, pieceStart + pieceBytes) - start
        if (sizeBytes <= 0) continue
        append(runs, { file: newBytes, offset: 0, sizeBytes: start - position })
        append(runs, { file, offset: piece * pieceBytes + start - pieceStart, sizeBytes })
        position = start + sizeBytes
      }
      append(runs, { file: newBytes, offset: 0, sizeBytes: end - position })
      position = end
    }
    this.#runs = dropShorter(runs, minPieces * pieceBytes)
  }

  /** Returns the ranges of the local file, at most `maxRanges`: the shortest ones are sent instead of reused. */
  finish(maxRanges = maxComposedRanges): ComposedRange[] {
    let runs = this.#runs
    const sizes = runs
      .flatMap(({ file, sizeBytes }) => (file === newBytes ? [] : [sizeBytes]))
      .toSorted((a, b) => a - b)
    for (let dropped = 0; runs.length > maxRanges && dropped < sizes.length;) {
      dropped = Math.min(sizes.length, dropped + Math.max(1, Math.ceil((runs.length - maxRanges) / 2)))
      runs = dropShorter(this.#runs, sizes[dropped] ?? Infinity)
    }
    return this.#toRanges(runs)
  }

  #toRanges(runs: readonly Run[]): ComposedRange[] {
    return runs.map(({ file, offset, sizeBytes: size_bytes }) => {
      const fileId = this.#files[file]?.fileId
      return fileId === undefined ? { size_bytes } : { file_id: fileId, offset, size_bytes }
    })
  }

  /** Returns the chunk that follows the previous one on the server if it is the same, so that the ranges are long. */
  #next(sha256: string): Place | undefined {
    if (this.#last === undefined) return undefined
    const next = { ...this.#last, chunk: this.#last.chunk + 1 }
    return this.#files[next.file]?.index.chunks[next.chunk]?.sha256 === sha256 ? next : undefined
  }
}

function append(runs: Run[], { file, offset, sizeBytes }: Run): void {
  if (sizeBytes === 0) return
  const last = runs.at(-1)
  if (last?.file === file && (file === newBytes || last.offset + last.sizeBytes === offset))
    last.sizeBytes += sizeBytes
  else runs.push({ file, offset, sizeBytes })
}

function dropShorter(runs: readonly Run[], minBytes: number): Run[] {
  const kept: Run[] = []
  for (const run of runs)
    append(kept, run.sizeBytes < minBytes ? { file: newBytes, offset: 0, sizeBytes: run.sizeBytes } : run)
  return kept
}

/** Returns the ranges of the local file that the client sends, in order. */
export function newRangesOf(ranges: readonly ComposedRange[]): { start: number; sizeBytes: number }[] {
  const found: { start: number; sizeBytes: number }[] = []
  let start = 0
  for (const { file_id, size_bytes: sizeBytes } of ranges) {
    if (file_id === undefined) found.push({ start, sizeBytes })
    start += sizeBytes
  }
  return found
}
