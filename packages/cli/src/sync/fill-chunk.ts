import { lastAtMost } from '@quayside/sdk/archive-layout'
import type { Chunk } from '@quayside/sdk/chunk-index'
import { localHeader } from '@quayside/sdk/zip-records'
import { Failure } from '../failure.ts'
import type { KnownRange } from '../reuse/compose-chunks.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { openUnchanged } from './local-chunks.ts'

/** A larger deflated file takes longer to deflate again than a chunk to download. */
const maxDeflatedBytes = 1024 * 1024

/**
 * Fills the parts of chunks that belong to unchanged files. A small file that changed is in a chunk with its unchanged
 * neighbors, which would otherwise be downloaded again.
 */
export class ChunkFiller {
  readonly #entries: readonly ArchiveEntry[]
  readonly #starts: number[]
  readonly #unchanged: ReadonlyMap<ArchiveEntry, string>

  /** `entries` are all entries by position, and `unchanged` has the local path of those that did not change. */
  constructor(entries: readonly ArchiveEntry[], unchanged: ReadonlyMap<ArchiveEntry, string>) {
    this.#entries = entries
    this.#starts = entries.map(({ start }) => start)
    this.#unchanged = unchanged
  }

  /** Fills what is known of a chunk, and returns its ranges. */
  async fill({ start, sizeBytes }: Chunk, bytes: Buffer, signal: AbortSignal): Promise<KnownRange[]> {
    const end = start + sizeBytes
    const known: KnownRange[] = []
    const add = (part: KnownRange) => {
      if (part.end > part.start) known.push(part)
    }
    for (let index = lastAtMost(this.#starts, start); ; index++) {
      const entry = this.#entries[index]
      if (entry === undefined || entry.start >= end) break
      const path = this.#unchanged.get(entry)
      if (entry.zip === undefined || path === undefined || entry.end <= start) continue
      const header = localHeader(entry.zip)
      const contentStart = entry.start + header.length
      if (entry.start < end && contentStart > start) {
        const headerPart = header.subarray(Math.max(0, start - entry.start), end - entry.start)
        bytes.set(headerPart, Math.max(0, entry.start - start))
        add({ start: Math.max(start, entry.start), end: Math.min(end, contentStart) })
      }
      const part = { start: Math.max(start, contentStart), end: Math.min(end, entry.end) }
      if (
        part.end > part.start &&
        (await readPart(
          entry,
          path,
          bytes.subarray(part.start - start, part.end - start),
          part.start - contentStart,
          signal,
        ))
      )
        add(part)
    }
    return known
  }
}

async function readPart(
  entry: ArchiveEntry,
  path: string,
  bytes: Buffer,
  position: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (entry.isDeflated && entry.sizeBytes > maxDeflatedBytes) return false
  try {
    const source = await openUnchanged(path, entry, signal)
    return source !== undefined && (await source.read(bytes, position)) === bytes.length
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure) return false
    throw error
  }
}
