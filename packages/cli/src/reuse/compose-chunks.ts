import { lastAtMost } from '@quayside/sdk/archive-layout'
import type { Chunk } from '@quayside/sdk/chunk-index'
import type { RemotePiece } from './fetch-chunks.ts'
import { sha256 } from './find-chunks.ts'

/** A range of the file whose bytes are known. */
export type KnownRange = { start: number; end: number }

/** Fills known ranges of a chunk and returns them. They do not need to be right, because the chunk is verified. */
type FillChunk = (chunk: Chunk, bytes: Buffer) => Promise<KnownRange[]>

type FetchPieces = (
  pieces: readonly RemotePiece[],
  write: (bytes: Buffer, piece: RemotePiece) => void,
) => Promise<void>

/** Shorter known ranges between unknown ones are fetched too, because a request costs about as much. */
const minKnownBytes = 2048

/**
 * Fetches chunks without the ranges that are known. Returns their bytes by their SHA-256, and whether a chunk was filled
 * with the wrong bytes, so that all of it was fetched.
 */
export async function composeChunks(
  chunks: readonly Chunk[],
  fill: FillChunk,
  fetch: FetchPieces,
): Promise<{ found: Map<string, Buffer>; hasMismatch: boolean }> {
  const found = new Map<string, Buffer>()
  const pieces: RemotePiece[] = []
  const filled: { chunk: Chunk; bytes: Buffer }[] = []
  for (const chunk of chunks) {
    const bytes = Buffer.alloc(chunk.sizeBytes)
    const known = await fill(chunk, bytes)
    if (known.length === 0) pieces.push(chunk)
    else {
      filled.push({ chunk, bytes })
      pieces.push(...gapsBetween(known, chunk))
    }
  }
  const filledStarts = filled.map(({ chunk }) => chunk.start)
  await fetch(pieces, (bytes, piece) => {
    const target = filled[lastAtMost(filledStarts, piece.start)]
    if (piece.sha256 !== undefined) found.set(piece.sha256, bytes)
    else if (target !== undefined) bytes.copy(target.bytes, piece.start - target.chunk.start)
  })
  const wrong: Chunk[] = []
  for (const { chunk, bytes } of filled)
    if (sha256(bytes) === chunk.sha256) found.set(chunk.sha256, bytes)
    else wrong.push(chunk)
  await fetch(wrong, (bytes, { sha256: hash = '' }) => found.set(hash, bytes))
  return { found, hasMismatch: wrong.length > 0 }
}

/** Returns what has to be fetched of a chunk. */
function gapsBetween(known: readonly KnownRange[], { start, sizeBytes }: Chunk): RemotePiece[] {
  const end = start + sizeBytes
  const merged: KnownRange[] = []
  for (const range of known.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last !== undefined && range.start <= last.end) last.end = Math.max(last.end, range.end)
    else merged.push({ ...range })
  }
  const isLong = (range: KnownRange) =>
    range.end - range.start >= minKnownBytes || range.start === start || range.end === end
  const gaps: RemotePiece[] = []
  let position = start
  for (const range of [...merged.filter(isLong), { start: end, end }]) {
    if (range.start > position) gaps.push({ start: position, sizeBytes: range.start - position })
    position = range.end
  }
  return gaps
}
