import type { BigIntStats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import type { Spool } from '@quayside/sdk/archive-content'
import { layOutContent } from '@quayside/sdk/archive-layout'
import type { Chunk } from '@quayside/sdk/chunk-index'
import { ContentCutter } from '@quayside/sdk/content-cutter'
import { fileEntry } from '../archive/list-entries.ts'
import { readContent } from '../archive/read-content.ts'
import { SegmentReader } from '../archive/segment-reader.ts'
import { Failure } from '../failure.ts'
import type { KnownRange } from '../reuse/compose-chunks.ts'
import type { FetchedIndex } from '../reuse/fetch-index.ts'
import { sha256 } from '../reuse/find-chunks.ts'
import { LocalPieces } from '../reuse/local-pieces.ts'
import type { LocalSource } from '../reuse/search-pieces.ts'

/** A local file that can contain chunks of the archive. */
export type ChunkFile = {
  path: string
  /** Where to start, so that an unchanged start of the file is cut as in the archive. */
  skipBytes: number
}

type Place = { source: LocalSource; start: number }

export type ScanOptions = {
  /** Whether files that shrink are deflated before they are compared. */
  deflates: boolean
  signal: AbortSignal
  onBytes: (bytes: number) => void
}

const spoolBytes = 32 * 1024 * 1024
const readBytes = 256 * 1024

/** Chunks of the archive in local files. A file can be replaced once its chunks have been read. */
export class LocalChunks {
  readonly #index: FetchedIndex
  readonly #needed: readonly Chunk[]
  /** How often each chunk is needed. */
  readonly #wanted: Map<string, number>
  readonly #pieces = new LocalPieces()
  readonly #pathsOfPieces = new Map<string, Set<string>>()
  readonly #places = new Map<string, Place>()
  readonly #uses = new Map<string, number>()
  readonly #spool: Spool = { leftBytes: spoolBytes }

  /** `needed` are the chunks that will be read. */
  constructor(index: FetchedIndex, needed: readonly Chunk[]) {
    this.#index = index
    this.#needed = needed
    this.#wanted = new Map()
    for (const chunk of needed) this.#wanted.set(chunk.sha256, (this.#wanted.get(chunk.sha256) ?? 0) + 1)
  }

  /** Searches a file. Returns whether it contains any chunks that were not found before. */
  async scan({ path, skipBytes }: ChunkFile, options: ScanOptions): Promise<boolean> {
    const stats = await lstat(path, { bigint: true }).catch(() => undefined)
    if (stats?.isFile() !== true || stats.size < BigInt(this.#index.sizes.minBytes)) return false
    try {
      const source = await openSource(path, stats, { ...options, spool: this.#spool })
      return await this.#scanSource(source, skipBytes < source.sizeBytes ? skipBytes : 0, options.signal)
    } catch (error) {
      options.signal.throwIfAborted()
      // A file that changes or cannot be read only makes the download larger.
      if (error instanceof Failure) return false
      throw error
    }
  }

  async #scanSource(source: LocalSource, skipBytes: number, signal: AbortSignal): Promise<boolean> {
    let found = false
    let start = skipBytes
    if (skipBytes > 0) this.#pieces.addRegion(source, 0, skipBytes)
    const cutter = new ContentCutter(this.#index.sizes, (piece) => {
      const hash = sha256(piece)
      const count = this.#wanted.get(hash)
      if (count !== undefined && !this.#places.has(hash)) {
        this.#places.set(hash, { source, start })
        this.#uses.set(source.path, (this.#uses.get(source.path) ?? 0) + count)
        found = true
      }
      if (count === undefined) this.#pieces.addRegion(source, start, piece.length)
      start += piece.length
    })
    const buffer = Buffer.allocUnsafe(readBytes)
    for (let position = skipBytes; position < source.sizeBytes;) {
      signal.throwIfAborted()
      const count = await source.read(buffer, position)
      cutter.push(buffer.subarray(0, count))
      position += count
    }
    cutter.end()
    return found
  }

  /** Searches the files for pieces of the chunks that they do not contain. */
  async findPieces(signal: AbortSignal): Promise<void> {
    const missing = this.#needed.filter((chunk) => !this.#places.has(chunk.sha256))
    await this.#pieces.find(this.#index, missing, signal)
    for (const chunk of missing) {
      const paths = this.#pathsOfPieces.get(chunk.sha256) ?? new Set()
      for (const path of this.#pieces.pathsOf(chunk)) {
        if (!paths.has(path))
          this.#uses.set(path, (this.#uses.get(path) ?? 0) + (this.#wanted.get(chunk.sha256) ?? 0))
        paths.add(path)
      }
      this.#pathsOfPieces.set(chunk.sha256, paths)
    }
  }

  /** Fills the pieces of a chunk that local files contain. Returns their ranges. */
  fill(chunk: Chunk, bytes: Buffer): Promise<KnownRange[]> {
    return this.#pieces.fill(chunk, bytes)
  }

  /** Reads a chunk. Returns undefined if no local file contains it anymore. */
  async take({ sha256: hash, sizeBytes }: Chunk): Promise<Buffer | undefined> {
    const place = this.#places.get(hash)
    if (place === undefined) return undefined
    const { source, start } = place
    try {
      const bytes = Buffer.allocUnsafe(sizeBytes)
      const count = await source.read(bytes, start)
      return count === sizeBytes && sha256(bytes) === hash ? bytes : undefined
    } catch (error) {
      if (error instanceof Failure) return undefined
      throw error
    }
  }

  /** Counts a use of a chunk, after which a file without further uses can be replaced. */
  release({ sha256: hash }: Chunk): void {
    const path = this.#places.get(hash)?.source.path
    for (const used of path === undefined ? (this.#pathsOfPieces.get(hash) ?? []) : [path])
      this.#uses.set(used, (this.#uses.get(used) ?? 0) - 1)
  }

  /** Returns whether no chunk of the file is needed anymore. */
  isFree(path: string): boolean {
    return (this.#uses.get(path) ?? 0) <= 0
  }
}

/** Opens a file as an archive contains it. */
async function openSource(
  path: string,
  stats: BigIntStats,
  { deflates, spool, signal, onBytes }: ScanOptions & { spool: Spool },
): Promise<LocalSource> {
  const entry = fileEntry(path, path, stats)
  const content = deflates ? await readContent(entry, { spool, signal, onBytes }) : undefined
  if (!deflates) onBytes(entry.sizeBytes)
  const layout = layOutContent(entry, content)
  const reader = new SegmentReader(layout)
  return { path, sizeBytes: layout.sizeBytes, read: (bytes, position) => reader.read(bytes, position) }
}

/** Reads the bytes that an archive contains of an unchanged file. */
export async function openUnchanged(
  path: string,
  { isDeflated, storedBytes }: { isDeflated: boolean; storedBytes: number },
  signal: AbortSignal,
): Promise<LocalSource | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined)
  if (stats?.isFile() !== true) return undefined
  const options = { deflates: isDeflated, signal, onBytes: () => {}, spool: { leftBytes: spoolBytes } }
  const source = await openSource(path, stats, options)
  return source.sizeBytes === storedBytes ? source : undefined
}
