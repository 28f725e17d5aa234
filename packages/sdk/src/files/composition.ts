import type { ChunkIndex } from './chunk-index.ts'

// docs/upload-the-difference.md describes the protocol.

/** A file of a build on the server, with its chunk index. */
export type ReusableFile = { fileId: string; index: ChunkIndex }

/** A range of the file `file_id` on the server, or of new bytes that the client sends. */
export type ComposedRange = { file_id?: string; offset?: number; size_bytes: number }

/** A chunk of the local file that was found, or new bytes. */
type Run = { file: number; offset: number; sizeBytes: number }

const newBytes = -1

/** The server accepts at most this many ranges. */
export const maxComposedRanges = 10_000

/**
 * Finds the chunks of a local file in files on the server. The local file must be cut with the sizes of their indexes, which
 * must be the same for all.
 */
export class CompositionPlanner {
  readonly #files: readonly ReusableFile[]
  readonly #found = new Map<string, { file: number; chunk: number }>()
  readonly #runs: Run[] = []
  #last: { file: number; chunk: number } | undefined

  constructor(files: readonly ReusableFile[]) {
    this.#files = files
    for (const [file, { index }] of files.entries())
      for (const [chunk, { sha256 }] of index.chunks.entries())
        if (!this.#found.has(sha256)) this.#found.set(sha256, { file, chunk })
  }

  /** Adds the next chunk of the local file with its SHA-256 in hexadecimal. */
  add(sizeBytes: number, sha256: string): void {
    this.#last = this.#next(sha256) ?? this.#found.get(sha256)
    const { file = newBytes, chunk = 0 } = this.#last ?? {}
    const offset = this.#files[file]?.index.chunks[chunk]?.start ?? 0
    const run = this.#runs.at(-1)
    if (run?.file === file && (file === newBytes || run.offset + run.sizeBytes === offset))
      run.sizeBytes += sizeBytes
    else this.#runs.push({ file, offset, sizeBytes })
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
    return runs.map(({ file, offset, sizeBytes: size_bytes }) => {
      const fileId = this.#files[file]?.fileId
      return fileId === undefined ? { size_bytes } : { file_id: fileId, offset, size_bytes }
    })
  }

  /** Returns the chunk that follows the previous one on the server if it is the same, so that the ranges are long. */
  #next(sha256: string): { file: number; chunk: number } | undefined {
    if (this.#last === undefined) return undefined
    const next = { ...this.#last, chunk: this.#last.chunk + 1 }
    return this.#files[next.file]?.index.chunks[next.chunk]?.sha256 === sha256 ? next : undefined
  }
}

function dropShorter(runs: readonly Run[], minBytes: number): Run[] {
  const kept: Run[] = []
  for (const run of runs) {
    const isNew = run.file === newBytes || run.sizeBytes < minBytes
    const last = kept.at(-1)
    if (isNew && last?.file === newBytes) last.sizeBytes += run.sizeBytes
    else kept.push(isNew ? { file: newBytes, offset: 0, sizeBytes: run.sizeBytes } : { ...run })
  }
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
