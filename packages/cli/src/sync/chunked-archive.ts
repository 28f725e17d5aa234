import { lastAtMost } from '@quayside/sdk/archive-layout'
import type { Chunk } from '@quayside/sdk/chunk-index'
import { composeChunks } from '../reuse/compose-chunks.ts'
import { joinPieces } from '../reuse/fetch-chunks.ts'
import type { RemotePiece } from '../reuse/fetch-chunks.ts'
import type { FetchedIndex } from '../reuse/fetch-index.ts'
import { runInParallel } from '../transfer/part-plan.ts'
import type { Archive } from './archive-entry.ts'
import type { ChunkFiller } from './fill-chunk.ts'
import type { LocalChunks } from './local-chunks.ts'
import type { RemoteArchive } from './remote-archive.ts'

const parallelRanges = 4
/** Chunks are kept in memory until they are unpacked: those of this window, and those of the next. */
const windowBytes = 32 * 1024 * 1024
const maxCachedBytes = 32 * 1024 * 1024

type Range = { start: number; end: number }

/** An archive whose chunks come from local files or are fetched. Every chunk is verified by its SHA-256. */
export class ChunkedArchive implements Archive {
  readonly filename: string
  readonly sizeBytes: number
  readonly index: FetchedIndex
  receivedBytes = 0
  readonly #remote: RemoteArchive
  readonly #chunks: readonly Chunk[]
  readonly #starts: number[]
  readonly #signal: AbortSignal
  /** Chunks of the directory and of links, and those that are needed more than once, by their SHA-256. */
  readonly #cache = new Map<string, Buffer>()
  #cachedBytes = 0
  readonly #repeated = new Set<string>()
  readonly #windows: Chunk[][] = []
  #window = new Map<Chunk, Buffer>()
  #next: Promise<Map<Chunk, Buffer>> | undefined
  #local: LocalChunks | undefined
  #filler: ChunkFiller | undefined

  constructor(remote: RemoteArchive, index: FetchedIndex, signal: AbortSignal) {
    this.filename = remote.filename
    this.sizeBytes = index.fileBytes
    this.index = index
    this.#remote = remote
    this.#chunks = index.chunks
    this.#starts = index.chunks.map(({ start }) => start)
    this.#signal = signal
  }

  /** Returns the chunks that overlap ranges, which must be in ascending order. */
  chunksOf(ranges: Iterable<Range>): Chunk[] {
    const found: Chunk[] = []
    for (const { start, end } of ranges)
      for (let index = lastAtMost(this.#starts, start); ; index++) {
        const chunk = this.#chunks[index]
        if (chunk === undefined || chunk.start >= end) break
        if (found.length === 0 || (found.at(-1)?.start ?? 0) < chunk.start) found.push(chunk)
      }
    return found
  }

  /** Plans what `read` will request, and where its chunks can come from. */
  plan(needed: readonly Chunk[], local: LocalChunks, filler: ChunkFiller | undefined): void {
    this.#local = local
    this.#filler = filler
    const seen = new Set<string>()
    let bytes = Infinity
    for (const chunk of needed) {
      if (seen.has(chunk.sha256)) this.#repeated.add(chunk.sha256)
      seen.add(chunk.sha256)
      if (bytes >= windowBytes) {
        this.#windows.push([])
        bytes = 0
      }
      this.#windows.at(-1)?.push(chunk)
      bytes += chunk.sizeBytes
    }
  }

  async readAt(start: number, sizeBytes: number): Promise<Buffer> {
    const end = start + sizeBytes
    const chunks = this.chunksOf([{ start, end }])
    const loaded = await this.#load(chunks, false)
    const parts = chunks.map((chunk) => {
      const bytes = loaded.get(chunk) ?? Buffer.alloc(0)
      this.#keep(chunk, bytes)
      return bytes.subarray(Math.max(0, start - chunk.start), end - chunk.start)
    })
    return Buffer.concat(parts)
  }

  async *read(start: number, end: number): AsyncGenerator<Buffer> {
    for (let position = start; position < end;) {
      const chunk = this.#chunks[lastAtMost(this.#starts, position)]
      if (chunk === undefined) throw new Error('the archive ends early')
      const bytes = this.#window.get(chunk) ?? (await this.#advance(chunk))
      const part = bytes.subarray(position - chunk.start, end - chunk.start)
      position += part.length
      yield part
    }
  }

  /** Loads windows until one contains the chunk. The window after it is loaded while this one is unpacked. */
  async #advance(chunk: Chunk): Promise<Buffer> {
    for (;;) {
      const next = this.#next ?? this.#loadNext()
      if (next === undefined) throw new Error('a range was not planned')
      this.#window = await next
      this.#next = this.#loadNext()
      this.#next?.catch(() => {})
      const bytes = this.#window.get(chunk)
      if (bytes !== undefined) return bytes
    }
  }

  #loadNext(): Promise<Map<Chunk, Buffer>> | undefined {
    const chunks = this.#windows.shift()
    return chunks === undefined ? undefined : this.#load(chunks, true)
  }

  async #load(chunks: readonly Chunk[], isPlanned: boolean): Promise<Map<Chunk, Buffer>> {
    const loaded = new Map<Chunk, Buffer>()
    const missing = new Map<string, Chunk>()
    for (const chunk of chunks) {
      this.#signal.throwIfAborted()
      const bytes = await this.#findLocal(chunk, isPlanned)
      if (bytes !== undefined) loaded.set(chunk, bytes)
      else missing.set(chunk.sha256, chunk)
    }
    const fetched = await this.#fetchMissing([...missing.values()])
    for (const chunk of chunks) {
      const bytes = loaded.get(chunk) ?? fetched.get(chunk.sha256)
      if (bytes === undefined) throw new Error('a chunk was not fetched')
      loaded.set(chunk, bytes)
      if (this.#repeated.has(chunk.sha256)) this.#keep(chunk, bytes)
      if (isPlanned) this.#local?.release(chunk)
    }
    return loaded
  }

  async #findLocal(chunk: Chunk, isPlanned: boolean): Promise<Buffer | undefined> {
    const cached = this.#cache.get(chunk.sha256)
    return isPlanned ? (cached ?? (await this.#local?.take(chunk))) : cached
  }

  #keep({ sha256: hash }: Chunk, bytes: Buffer): void {
    if (this.#cache.has(hash) || this.#cachedBytes + bytes.length > maxCachedBytes) return
    this.#cache.set(hash, bytes)
    this.#cachedBytes += bytes.length
  }

  /** Fetches chunks, of which what unchanged files and pieces of local files contain is not transferred. */
  async #fetchMissing(chunks: readonly Chunk[]): Promise<Map<string, Buffer>> {
    const fill = async (chunk: Chunk, bytes: Buffer) => [
      ...((await this.#local?.fill(chunk, bytes)) ?? []),
      ...((await this.#filler?.fill(chunk, bytes, this.#signal)) ?? []),
    ]
    const { found, hasMismatch } = await composeChunks(chunks, fill, (pieces, write) =>
      this.#fetch(pieces, write),
    )
    if (hasMismatch) this.#filler = undefined
    return found
  }

  async #fetch(
    pieces: readonly RemotePiece[],
    write: (bytes: Buffer, piece: RemotePiece) => void,
  ): Promise<void> {
    const onPiece = (bytes: Buffer, piece: RemotePiece) => {
      this.receivedBytes += bytes.length
      write(bytes, piece)
    }
    await runInParallel(
      joinPieces(pieces, windowBytes / parallelRanges),
      parallelRanges,
      this.#signal,
      (range, signal) => this.#remote.fetch(range, onPiece, signal),
    )
  }
}
