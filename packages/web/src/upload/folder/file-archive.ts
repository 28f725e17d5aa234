import { crc32ByTable, pieceDeflater, readContent, type Piece } from '@quayside/sdk/archive-content'
import { archiveEntry, layOut, segmentsIn, type ArchiveEntry } from '@quayside/sdk/archive-layout'
import { Deflate } from 'pako'
import type { ListedEntry } from './list-folder.ts'

export type ArchiveProgress = { bytes: number; files: number }

export type OpenFileArchive = {
  entries: readonly ListedEntry[]
  /** The folder in the archive that contains the entries, such as `Game.app/`, or nothing. */
  prefix: string
  signal: AbortSignal
  onProgress: (progress: ArchiveProgress) => void
  /** Larger archives deflate some content again while it is sent, because the memory of a tab is limited. */
  spoolBytes?: number
}

export type FileArchive = Awaited<ReturnType<typeof openFileArchive>>

const usualSpoolBytes = 64 * 1024 * 1024
const tools = { deflatePiece: pieceDeflater(Deflate), crc32: crc32ByTable }

/**
 * Reads files once, to find out the size of the ZIP archive that contains them. Its bytes are created when a range is
 * sent: stored files stay on disk until then, and only deflated content is in memory.
 */
export async function openFileArchive({
  entries,
  prefix,
  signal,
  onProgress,
  spoolBytes = usualSpoolBytes,
}: OpenFileArchive) {
  const spool = { leftBytes: spoolBytes }
  const found: ArchiveEntry<ListedEntry>[] = []
  const progress = { bytes: 0, files: 0 }
  for (const entry of entries) {
    const { file, sizeBytes } = entry
    const onBytes = (bytes: number) => {
      progress.bytes += bytes
      onProgress({ ...progress })
    }
    const content =
      file === undefined || sizeBytes === 0
        ? undefined
        : await readContent({ sizeBytes, read: readerOf(file) }, tools, { spool, signal, onBytes })
    // Browsers do not report executable bits, so programs are recognized by their first bytes, as on Windows.
    const attributes = { ...entry, isExecutable: content?.isProgram === true }
    found.push(archiveEntry(attributes, content, { prefix, modifiedAt: undefined, crc32: tools.crc32 }))
    progress.files++
    onProgress({ ...progress })
  }
  const layout = layOut(found)
  const description = found.map(({ zip }) => [zip.name, zip.mode, zip.sizeBytes, zip.crc32])
  return {
    sizeBytes: layout.sizeBytes,
    entryEnds: layout.entryEnds,
    /** Equal for folders that result in the same archive. */
    sample: tools.crc32(new TextEncoder().encode(JSON.stringify(description))).toString(16),
    /** Creates a range of the archive. */
    async slice(start: number, end: number): Promise<Blob> {
      const parts: BlobPart[] = []
      for (const { segment, start: from, end: to } of segmentsIn(layout, start, end)) {
        if ('bytes' in segment) parts.push(segment.bytes.subarray(from, to))
        else if (!('piece' in segment)) parts.push(requireFile(segment.file).slice(from, to))
        else parts.push((await deflated(segment.file, segment.piece)).subarray(from, to))
      }
      return new Blob(parts)
    },
    /** Throws if a file in a range has changed, because browsers refuse to read it then. */
    async requireReadable(start: number, end: number): Promise<void> {
      for (const { segment } of segmentsIn(layout, start, end))
        if ('file' in segment) await requireFile(segment.file).slice(0, 1).arrayBuffer()
    },
  }
}

const readerOf = (file: Blob) => async (bytes: Uint8Array, position: number) => {
  const read = await file.slice(position, position + bytes.length).arrayBuffer()
  if (read.byteLength !== bytes.length) throw new Error('The file has changed.')
  bytes.set(new Uint8Array(read))
}

function requireFile({ name, file }: ListedEntry): File {
  if (file === undefined) throw new Error(`${name} is not a file.`)
  return file
}

async function deflated(entry: ListedEntry, piece: Piece): Promise<Uint8Array<ArrayBuffer>> {
  if (piece.deflated !== undefined) return piece.deflated
  const bytes = new Uint8Array(piece.sizeBytes)
  await readerOf(requireFile(entry))(bytes, piece.start)
  const again = tools.deflatePiece(bytes)
  if (again.length !== piece.deflatedBytes) throw new Error(`${entry.name} has changed.`)
  return again
}
