import { streamEnd } from './archive-content.ts'
import type { Content, Piece } from './archive-content.ts'
import { directoryEnd, directoryRecord, localHeader } from './zip-records.ts'
import type { Bytes, ZipEntry } from './zip-records.ts'

/** A file, a symbolic link or an empty folder below the folder of an archive. */
export type EntryAttributes = {
  /** Path in the archive, with `/` between its segments and after a folder. */
  name: string
  kind: 'file' | 'link' | 'folder'
  isExecutable: boolean
  /** Size of a file, otherwise 0. */
  sizeBytes: number
  /** Path to which a link points, relative to its folder. */
  target: string
}

/** An entry with what its content needs in the archive. A folder or an empty file has no content. */
export type ArchiveEntry<Entry extends EntryAttributes> = {
  entry: Entry
  zip: ZipEntry
  content: Content | undefined
}

/** A range of an archive: bytes in memory, a file, or a piece of a file that is deflated. */
export type Segment<Entry> = { sizeBytes: number } & (
  | { bytes: Bytes }
  | { file: Entry }
  | { file: Entry; piece: Piece }
)

/** The ranges of an archive in order, with the position of each. `entryEnds` has 0 and the end of each entry. */
export type Segments<Entry> = {
  offsets: number[]
  segments: Segment<Entry>[]
  entryEnds: number[]
  sizeBytes: number
}

type Crc32 = (bytes: Uint8Array) => number

const encoder = new TextEncoder()

/** Describes an entry in an archive. `modifiedAt` is undefined if its time must not change the bytes. */
export function archiveEntry<Entry extends EntryAttributes>(
  entry: Entry,
  content: Content | undefined,
  { prefix, modifiedAt, crc32 }: { prefix: string; modifiedAt: Date | undefined; crc32: Crc32 },
): ArchiveEntry<Entry> {
  const target = encoder.encode(entry.target)
  const isLink = entry.kind === 'link'
  const modes = { folder: 0o040755, link: 0o120777, file: entry.isExecutable ? 0o100755 : 0o100644 }
  return {
    entry,
    content,
    zip: {
      name: `${prefix}${entry.name}`,
      mode: modes[entry.kind],
      isDeflated: content !== undefined && content.pieces.length > 0,
      crc32: isLink ? crc32(target) : (content?.crc32 ?? 0),
      storedBytes: isLink ? target.length : (content?.storedBytes ?? 0),
      sizeBytes: isLink ? target.length : entry.sizeBytes,
      modifiedAt,
    },
  }
}

/** Lays out a ZIP archive without reading the files. */
export function layOut<Entry extends EntryAttributes>(
  entries: readonly ArchiveEntry<Entry>[],
): Segments<Entry> {
  const layout = emptyLayout<Entry>()
  const directory: Bytes[] = []
  for (const { entry, zip, content } of entries) {
    directory.push(directoryRecord(zip, layout.sizeBytes))
    add(layout, inMemory(localHeader(zip)))
    for (const segment of contentSegments(entry, content)) add(layout, segment)
    layout.entryEnds.push(layout.sizeBytes)
  }
  const offset = layout.sizeBytes
  for (const record of directory) add(layout, inMemory(record))
  const sizeBytes = layout.sizeBytes - offset
  add(layout, inMemory(directoryEnd({ count: entries.length, sizeBytes, offset })))
  return layout
}

/** Lays out what an archive contains of a file, without its header. */
export function layOutContent<Entry extends EntryAttributes>(
  entry: Entry,
  content: Content | undefined,
): Segments<Entry> {
  const layout = emptyLayout<Entry>()
  for (const segment of contentSegments(entry, content)) add(layout, segment)
  return layout
}

const emptyLayout = <Entry>(): Segments<Entry> => ({
  offsets: [],
  segments: [],
  entryEnds: [0],
  sizeBytes: 0,
})

function add<Entry>(layout: Segments<Entry>, segment: Segment<Entry>): void {
  layout.offsets.push(layout.sizeBytes)
  layout.segments.push(segment)
  layout.sizeBytes += segment.sizeBytes
}

function contentSegments<Entry extends EntryAttributes>(
  entry: Entry,
  content: Content | undefined,
): Segment<Entry>[] {
  if (entry.kind === 'link') return [inMemory(encoder.encode(entry.target))]
  if (content === undefined || content.pieces.length === 0)
    return entry.sizeBytes > 0 ? [{ file: entry, sizeBytes: entry.sizeBytes }] : []
  const pieces = content.pieces.map((piece) => ({ file: entry, piece, sizeBytes: piece.deflatedBytes }))
  return [...pieces, inMemory(streamEnd)]
}

const inMemory = (bytes: Bytes) => ({ bytes, sizeBytes: bytes.length })

/** Yields the parts of segments that a range of the archive consists of. The range must be within the archive. */
export function* segmentsIn<Entry>(
  { offsets, segments }: Segments<Entry>,
  start: number,
  end: number,
): Generator<{ segment: Segment<Entry>; start: number; end: number }> {
  let index = lastAtMost(offsets, start)
  for (let done = start; done < end; index++) {
    const [segment, offset] = [segments[index], offsets[index]]
    if (segment === undefined || offset === undefined) throw new Error('the archive ends early')
    const segmentEnd = Math.min(end - offset, segment.sizeBytes)
    if (segmentEnd > done - offset) yield { segment, start: done - offset, end: segmentEnd }
    done = offset + segmentEnd
  }
}

/** Returns the number of entries that end in a range of the archive. */
export const countEntries = (
  { entryEnds }: Pick<Segments<unknown>, 'entryEnds'>,
  start: number,
  end: number,
): number => lastAtMost(entryEnds, end) - lastAtMost(entryEnds, start)

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
