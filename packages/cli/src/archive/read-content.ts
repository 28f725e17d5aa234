import type { BigIntStats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import zlib from 'node:zlib'
import { cutContent } from '@quayside/sdk/content-cutter'
import { cannotRead } from '../files/file-failure.ts'
import { FileChangedError } from '../transfer/local-file.ts'
import { deflatePiece, streamEnd } from './deflate.ts'
import { hasSameAttributes } from './list-entries.ts'
import type { FolderEntry } from './list-entries.ts'

/** A piece of a file that is deflated on its own. */
export type Piece = {
  start: number
  sizeBytes: number
  deflatedBytes: number
  /** The deflated bytes, unless they would need too much memory. */
  deflated: Buffer | undefined
}

/** The content of a file: its checksum, and the pieces in which it is deflated or none if it is stored as it is. */
export type Content = { crc32: number; storedBytes: number; pieces: Piece[]; isProgram: boolean }

/** Memory for deflated pieces, so that most archives deflate each byte only once. */
export type Spool = { leftBytes: number }

const pieceSizes = { minBytes: 64 * 1024, averageBits: 18, maxBytes: 1024 * 1024 }
const readBytes = 2 * pieceSizes.maxBytes
const sampleBytes = 8 * 1024
/** A file is deflated if its samples shrink at least to this fraction. */
const worthwhileRatio = 0.9

export type ReadContent = { spool: Spool; signal: AbortSignal; onBytes: (bytes: number) => void }

/** Reads a file once, to find out how it is stored in an archive. Throws if it changes during this time. */
export async function readContent(entry: FolderEntry, options: ReadContent): Promise<Content> {
  return await withOpenFile(entry, async (handle) => {
    const deflates = await isWorthDeflating(handle, entry.sizeBytes)
    const content: Content = { crc32: 0, storedBytes: entry.sizeBytes, pieces: [], isProgram: false }
    const buffer = Buffer.allocUnsafeSlow(Math.max(1, Math.min(readBytes, entry.sizeBytes)))
    let keptBytes = 0
    let position = 0
    while (position < entry.sizeBytes) {
      options.signal.throwIfAborted()
      const length = Math.min(buffer.length - keptBytes, entry.sizeBytes - position)
      await readExactly(handle, entry, buffer.subarray(keptBytes, keptBytes + length), position)
      const added = buffer.subarray(keptBytes, keptBytes + length)
      if (position === 0) content.isProgram = isProgram(added)
      content.crc32 = crc32(added, content.crc32)
      position += length
      const isEnd = position === entry.sizeBytes
      const available = buffer.subarray(0, keptBytes + length)
      const used = deflates ? addPieces(content.pieces, available, isEnd, options.spool) : available.length
      keptBytes = buffer.copy(buffer, 0, used, available.length)
      options.onBytes(length)
    }
    const deflatedBytes = content.pieces.reduce((sum, piece) => sum + piece.deflatedBytes, streamEnd.length)
    if (deflates && deflatedBytes < entry.sizeBytes) return { ...content, storedBytes: deflatedBytes }
    for (const { deflated } of content.pieces) options.spool.leftBytes += deflated?.length ?? 0
    return { ...content, pieces: [] }
  })
}

/** Adds the pieces at the start of `bytes`. Returns their size. A piece that may continue after `bytes` is left. */
function addPieces(pieces: Piece[], bytes: Buffer, isEnd: boolean, spool: Spool): number {
  let used = 0
  const limit = isEnd ? bytes.length : bytes.length - pieceSizes.maxBytes + 1
  while (used < limit) {
    const last = pieces.at(-1)
    const sizeBytes = cutContent(bytes.subarray(used), pieceSizes)
    const deflated = deflatePiece(bytes.subarray(used, used + sizeBytes))
    const isKept = deflated.length <= spool.leftBytes
    if (isKept) spool.leftBytes -= deflated.length
    pieces.push({
      start: last === undefined ? 0 : last.start + last.sizeBytes,
      sizeBytes,
      deflatedBytes: deflated.length,
      deflated: isKept ? deflated : undefined,
    })
    used += sizeBytes
  }
  return used
}

/**
 * Deflates samples from the start, the middle and the end of a file, because most types of files shrink everywhere or
 * nowhere. A short file is deflated completely instead.
 */
async function isWorthDeflating(handle: FileHandle, sizeBytes: number): Promise<boolean> {
  const starts = [0, Math.floor(sizeBytes / 2), sizeBytes - sampleBytes]
  const sample = Buffer.alloc(starts.length * sampleBytes)
  if (sizeBytes <= sample.length) return true
  for (const [index, start] of starts.entries())
    await handle.read(sample, index * sampleBytes, sampleBytes, start)
  return deflatePiece(sample).length < worthwhileRatio * sample.length
}

/** Reads a range of a file. Throws if the file no longer has the listed attributes. */
export async function readRange(entry: FolderEntry, bytes: Buffer, position: number): Promise<void> {
  await withOpenFile(entry, (handle) => readExactly(handle, entry, bytes, position))
}

/** Runs `work` with an open file. The attributes are compared afterward, so that they apply to the bytes that were read. */
async function withOpenFile<Result>(
  entry: FolderEntry,
  work: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const handle = await open(entry.path).catch((error: unknown) => {
    throw cannotRead(entry.path, error)
  })
  try {
    const result = await work(handle)
    const stats: BigIntStats = await handle.stat({ bigint: true })
    if (!hasSameAttributes(entry, stats)) throw new FileChangedError(entry.path)
    return result
  } finally {
    await handle.close()
  }
}

async function readExactly(
  handle: FileHandle,
  { path }: FolderEntry,
  bytes: Buffer,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done)
    if (bytesRead === 0) throw new FileChangedError(path)
    done += bytesRead
  }
}

/** The first bytes of ELF and Mach-O programs and of scripts. */
const programStarts = ['7f454c46', 'cffaedfe', 'cefaedfe', 'cafebabe', '2321']

const isProgram = (bytes: Buffer): boolean => {
  const start = bytes.subarray(0, 4).toString('hex')
  return programStarts.some((known) => start.startsWith(known))
}

// Node has this function since 20.15.
export const crc32: (bytes: Uint8Array, value?: number) => number =
  typeof zlib.crc32 === 'function' ? zlib.crc32 : crc32ByTable

export function crc32ByTable(bytes: Uint8Array, value = 0): number {
  let crc = ~value
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}

const crcTable = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})
