import type { Chunk } from '@quayside/sdk/chunk-index'
import { lastAtMost } from '../archive/archive-segments.ts'
import { localHeader } from '../archive/zip-records.ts'
import { Failure } from '../failure.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { openUnchanged } from './local-chunks.ts'

type Gap = { start: number; sizeBytes: number }

/** A chunk without the bytes in its gaps. */
export type FilledChunk = { bytes: Buffer; gaps: Gap[] }

/** A larger deflated file takes longer to deflate again than a chunk to download. */
const maxDeflatedBytes = 1024 * 1024
/** If less of a chunk is known, it is fetched as a whole, which needs fewer requests. */
const minKnownRatio = 0.25
/** Shorter known parts between gaps are fetched too. */
const minKnownBytes = 512

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

  /** Returns what is known of a chunk, or undefined if all of it should be fetched. The result has to be verified. */
  async fill({ start, sizeBytes }: Chunk, signal: AbortSignal): Promise<FilledChunk | undefined> {
    const end = start + sizeBytes
    const bytes = Buffer.alloc(sizeBytes)
    const known: { start: number; end: number }[] = []
    const add = (part: { start: number; end: number }) => {
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
        header.copy(bytes, Math.max(0, entry.start - start), Math.max(0, start - entry.start))
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
    const gaps = gapsBetween(known, { start, end })
    const gapBytes = gaps.reduce((sum, gap) => sum + gap.sizeBytes, 0)
    return gapBytes > sizeBytes * (1 - minKnownRatio) ? undefined : { bytes, gaps }
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

function gapsBetween(known: { start: number; end: number }[], range: { start: number; end: number }): Gap[] {
  const gaps: Gap[] = []
  let position = range.start
  for (const part of [...known, { start: range.end, end: range.end }]) {
    if (part.end - part.start < minKnownBytes && part.start < range.end && part.start > position) continue
    if (part.start > position) gaps.push({ start: position, sizeBytes: part.start - position })
    position = Math.max(position, part.end)
  }
  return gaps
}
