import { FileChangedError } from '../transfer/local-file.ts'
import { deflatePiece, streamEnd } from './deflate.ts'
import type { FolderEntry } from './list-entries.ts'
import { readRange } from './read-content.ts'
import type { Content, Piece } from './read-content.ts'
import { directoryEnd, directoryRecord, localHeader } from './zip-records.ts'
import type { ZipEntry } from './zip-records.ts'

/** An entry with what its content needs in the archive. A folder or an empty file has no content. */
export type ArchiveEntry = { entry: FolderEntry; zip: ZipEntry; content: Content | undefined }

/** A range of an archive: bytes in memory, a file, or a piece of a file that is deflated. */
type Segment = { sizeBytes: number } & (
  | { bytes: Buffer }
  | { file: FolderEntry }
  | { file: FolderEntry; piece: Piece }
)

/** The ranges of an archive in order, with the position of each. `entryEnds` has 0 and the end of each entry. */
export type Segments = { offsets: number[]; segments: Segment[]; entryEnds: number[]; sizeBytes: number }

/** Lays out a ZIP archive without reading the files. */
export function layOut(entries: ArchiveEntry[]): Segments {
  const layout: Segments = { offsets: [], segments: [], entryEnds: [0], sizeBytes: 0 }
  const add = (segment: Segment) => {
    layout.offsets.push(layout.sizeBytes)
    layout.segments.push(segment)
    layout.sizeBytes += segment.sizeBytes
  }
  const addBytes = (bytes: Buffer) => add(inMemory(bytes))
  const directory: Buffer[] = []
  for (const { entry, zip, content } of entries) {
    directory.push(directoryRecord(zip, layout.sizeBytes))
    addBytes(localHeader(zip))
    for (const segment of contentSegments(entry, content)) add(segment)
    layout.entryEnds.push(layout.sizeBytes)
  }
  const offset = layout.sizeBytes
  const records = Buffer.concat(directory)
  addBytes(records)
  addBytes(directoryEnd({ count: entries.length, sizeBytes: records.length, offset }))
  return layout
}

/** Lays out what an archive contains of a file, without its header. */
export function layOutContent(entry: FolderEntry, content: Content | undefined): Segments {
  const layout: Segments = { offsets: [], segments: [], entryEnds: [0], sizeBytes: 0 }
  for (const segment of contentSegments(entry, content)) {
    layout.offsets.push(layout.sizeBytes)
    layout.segments.push(segment)
    layout.sizeBytes += segment.sizeBytes
  }
  return layout
}

function contentSegments(entry: FolderEntry, content: Content | undefined): Segment[] {
  if (entry.kind === 'link') return [inMemory(Buffer.from(entry.target))]
  if (content === undefined || content.pieces.length === 0)
    return entry.sizeBytes > 0 ? [{ file: entry, sizeBytes: entry.sizeBytes }] : []
  const pieces = content.pieces.map((piece) => ({ file: entry, piece, sizeBytes: piece.deflatedBytes }))
  return [...pieces, inMemory(streamEnd)]
}

const inMemory = (bytes: Buffer): Segment => ({ bytes, sizeBytes: bytes.length })

/** Reads an archive at any position. Pieces that were deflated last stay in memory, because they are read in parts. */
export class SegmentReader {
  readonly #layout: Segments
  readonly #deflated = new Map<Piece, Promise<Buffer>>()

  constructor(layout: Segments) {
    this.#layout = layout
  }

  /** Fills `bytes` from `position`, or up to the end of the archive. Returns the number of bytes read. */
  async read(bytes: Buffer, position: number): Promise<number> {
    const { offsets, segments, sizeBytes } = this.#layout
    const length = Math.min(bytes.length, Math.max(0, sizeBytes - position))
    let index = lastAtMost(offsets, position)
    for (let done = 0; done < length; index++) {
      const [segment, offset] = [segments[index], offsets[index]]
      if (segment === undefined || offset === undefined) throw new Error('the archive ends early')
      const start = position + done - offset
      const part = bytes.subarray(done, done + Math.min(length - done, segment.sizeBytes - start))
      await this.#readSegment(segment, part, start)
      done += part.length
    }
    return length
  }

  async #readSegment(segment: Segment, part: Buffer, start: number): Promise<void> {
    if ('bytes' in segment) segment.bytes.copy(part, 0, start)
    else if (!('piece' in segment)) await readRange(segment.file, part, start)
    else (await this.#deflate(segment.file, segment.piece)).copy(part, 0, start)
  }

  #deflate(file: FolderEntry, piece: Piece): Promise<Buffer> {
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

async function deflateAgain(file: FolderEntry, piece: Piece): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(piece.sizeBytes)
  await readRange(file, bytes, piece.start)
  const deflated = deflatePiece(bytes)
  // Only a change that keeps size and modification time gets here.
  if (deflated.length !== piece.deflatedBytes) throw new FileChangedError(file.path)
  return deflated
}

/** Returns the index of the last number that is at most `value`. The numbers must be in order. */
export function lastAtMost(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((numbers[middle] ?? Infinity) <= value) low = middle
    else high = middle - 1
  }
  return low
}
