import type { Piece } from '@quayside/sdk/archive-content'
import { segmentsIn } from '@quayside/sdk/archive-layout'
import type { Segment, Segments } from '@quayside/sdk/archive-layout'
import { FileChangedError } from '../transfer/local-file.ts'
import type { FolderEntry } from './list-entries.ts'
import { deflatePiece, readRange } from './read-content.ts'

/** Reads an archive at any position. Pieces that were deflated last stay in memory, because they are read in parts. */
export class SegmentReader {
  readonly #layout: Segments<FolderEntry>
  readonly #deflated = new Map<Piece, Promise<Uint8Array>>()

  constructor(layout: Segments<FolderEntry>) {
    this.#layout = layout
  }

  /** Fills `bytes` from `position`, or up to the end of the archive. Returns the number of bytes read. */
  async read(bytes: Buffer, position: number): Promise<number> {
    const length = Math.min(bytes.length, Math.max(0, this.#layout.sizeBytes - position))
    let done = 0
    for (const { segment, start, end } of segmentsIn(this.#layout, position, position + length)) {
      const part = bytes.subarray(done, done + end - start)
      await this.#readSegment(segment, part, start)
      done += part.length
    }
    return length
  }

  async #readSegment(segment: Segment<FolderEntry>, part: Buffer, start: number): Promise<void> {
    if ('bytes' in segment) part.set(segment.bytes.subarray(start, start + part.length))
    else if (!('piece' in segment)) await readRange(segment.file, part, start)
    else part.set((await this.#deflate(segment.file, segment.piece)).subarray(start, start + part.length))
  }

  #deflate(file: FolderEntry, piece: Piece): Promise<Uint8Array> {
    if (piece.deflated !== undefined) return Promise.resolve(piece.deflated)
    const known = this.#deflated.get(piece)
    this.#deflated.delete(piece)
    const deflating = known ?? deflateAgain(file, piece)
    this.#deflated.set(piece, deflating)
    for (const oldest of this.#deflated.keys()) {
      if (this.#deflated.size <= maxDeflatedPieces) break
      this.#deflated.delete(oldest)
    }
    return deflating
  }
}

/** More than the number of parts that can be sent in parallel, each of which reads one piece at a time. */
const maxDeflatedPieces = 48

async function deflateAgain(file: FolderEntry, piece: Piece): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(piece.sizeBytes)
  await readRange(file, bytes, piece.start)
  const deflated = deflatePiece(bytes)
  // Only a change that keeps size and modification time gets here.
  if (deflated.length !== piece.deflatedBytes) throw new FileChangedError(file.path)
  return deflated
}
