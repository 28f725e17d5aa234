import { cutContent } from '../files/content-cutter.ts'
import { concat } from './zip-records.ts'
import type { Bytes } from './zip-records.ts'

/** A piece of a file that is deflated on its own. */
export type Piece = {
  start: number
  sizeBytes: number
  deflatedBytes: number
  /** The deflated bytes, unless they would need too much memory. */
  deflated: Bytes | undefined
}

/** The content of a file: its checksum, and the pieces in which it is deflated or none if it is stored as it is. */
export type Content = { crc32: number; storedBytes: number; pieces: Piece[]; isProgram: boolean }

/** Memory for deflated pieces, so that most archives deflate each byte only once. */
export type Spool = { leftBytes: number }

/** What creating an archive needs from the platform. */
export type ArchiveTools = {
  /** Deflates a piece of a stream, as `pieceDeflater` does. */
  deflatePiece: (bytes: Uint8Array) => Bytes
  /** Returns the CRC-32 of bytes, or of bytes that follow those with the CRC-32 `value`. */
  crc32: (bytes: Uint8Array, value?: number) => number
}

/** A file that is read at any position. `read` fills `bytes`, or throws. */
export type ContentSource = {
  sizeBytes: number
  read: (bytes: Uint8Array, position: number) => Promise<void>
}

export type ReadContent = { spool: Spool; signal: AbortSignal; onBytes: (bytes: number) => void }

type Deflate = new (options: { raw: boolean; level: number; chunkSize: number }) => {
  push: (bytes: Uint8Array, mode: 3) => boolean
  chunks: Uint8Array[]
  msg: string
}

/** Ends a stream of pieces: an empty final block. */
export const streamEnd: Bytes = Uint8Array.of(3, 0)

/** Levels above 4 took up to 1.6 times as long and made the archive of an executable 2 % smaller. */
const level = 4
/** Z_FULL_FLUSH: the output ends at a byte boundary, and later pieces do not refer to earlier ones. */
const fullFlush = 3
const pieceSizes = { minBytes: 64 * 1024, averageBits: 18, maxBytes: 1024 * 1024 }
const readBytes = 2 * pieceSizes.maxBytes
const sampleBytes = 8 * 1024
/** A file is deflated if its samples shrink at least to this fraction. */
const worthwhileRatio = 0.9

/**
 * Returns a function that deflates a piece of a stream with `Deflate` of pako 3.0.3, whose bytes depend neither on the
 * system nor on the processor. Pieces are independent of each other, so that each can be deflated again on its own.
 */
export const pieceDeflater =
  (Deflater: Deflate): ArchiveTools['deflatePiece'] =>
  (bytes) => {
    const deflate = new Deflater({ raw: true, level, chunkSize: bytes.length + 1024 })
    if (!deflate.push(bytes, fullFlush)) throw new Error(`Cannot deflate: ${deflate.msg}`)
    return concat(deflate.chunks)
  }

/** Reads a file once, to find out how it is stored in an archive. */
export async function readContent(
  source: ContentSource,
  tools: ArchiveTools,
  { spool, signal, onBytes }: ReadContent,
): Promise<Content> {
  const { sizeBytes } = source
  const deflates = await isWorthDeflating(source, tools)
  const content: Content = { crc32: 0, storedBytes: sizeBytes, pieces: [], isProgram: false }
  const buffer = new Uint8Array(Math.max(1, Math.min(readBytes, sizeBytes)))
  let keptBytes = 0
  let position = 0
  while (position < sizeBytes) {
    signal.throwIfAborted()
    const length = Math.min(buffer.length - keptBytes, sizeBytes - position)
    const added = buffer.subarray(keptBytes, keptBytes + length)
    await source.read(added, position)
    if (position === 0) content.isProgram = isProgram(added)
    content.crc32 = tools.crc32(added, content.crc32)
    position += length
    const available = buffer.subarray(0, keptBytes + length)
    const isEnd = position === sizeBytes
    const used = deflates ? addPieces(content.pieces, available, { isEnd, spool, tools }) : available.length
    buffer.copyWithin(0, used, available.length)
    keptBytes = available.length - used
    onBytes(length)
  }
  const deflatedBytes = content.pieces.reduce((sum, piece) => sum + piece.deflatedBytes, streamEnd.length)
  if (deflates && deflatedBytes < sizeBytes) return { ...content, storedBytes: deflatedBytes }
  for (const { deflated } of content.pieces) spool.leftBytes += deflated?.length ?? 0
  return { ...content, pieces: [] }
}

type Adding = { isEnd: boolean; spool: Spool; tools: ArchiveTools }

/** Adds the pieces at the start of `bytes`. Returns their size. A piece that may continue after `bytes` is left. */
function addPieces(pieces: Piece[], bytes: Uint8Array, { isEnd, spool, tools }: Adding): number {
  let used = 0
  const limit = isEnd ? bytes.length : bytes.length - pieceSizes.maxBytes + 1
  while (used < limit) {
    const last = pieces.at(-1)
    const sizeBytes = cutContent(bytes.subarray(used), pieceSizes)
    const deflated = tools.deflatePiece(bytes.subarray(used, used + sizeBytes))
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
async function isWorthDeflating(
  { sizeBytes, read }: ContentSource,
  { deflatePiece }: ArchiveTools,
): Promise<boolean> {
  const starts = [0, Math.floor(sizeBytes / 2), sizeBytes - sampleBytes]
  const sample = new Uint8Array(starts.length * sampleBytes)
  if (sizeBytes <= sample.length) return true
  for (const [index, start] of starts.entries())
    await read(sample.subarray(index * sampleBytes, (index + 1) * sampleBytes), start)
  return deflatePiece(sample).length < worthwhileRatio * sample.length
}

/** The first bytes of ELF and Mach-O programs and of scripts. */
const programStarts = ['7f454c46', 'cffaedfe', 'cefaedfe', 'cafebabe', '2321']

const isProgram = (bytes: Uint8Array): boolean => {
  const start = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return programStarts.some((known) => start.startsWith(known))
}

/** Returns the CRC-32 of bytes, where the platform has no function for it. */
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
