import type { CutSizes } from './content-cutter.ts'

// docs/chunk-index.md describes the format.

/** Smaller files have no index, because downloading them takes about as long as reading an index. */
export const minIndexedBytes = 1024 * 1024

/** A piece of a file that its content cuts. `sha256` is hexadecimal. */
export type Chunk = { start: number; sizeBytes: number; sha256: string }

/** Where a chunk index has the checksums of the pieces of its file. */
type PieceSection = {
  pieceBytes: number
  /** A shorter rest of the file has no checksum. */
  count: number
  /** Position of the first checksum in the index. */
  start: number
}

export type ChunkIndex = {
  /** The sizes with which `cutContent` yields the chunks. */
  sizes: CutSizes
  fileBytes: number
  /** The SHA-256 of the whole file in hexadecimal. */
  fileSha256: string
  chunks: readonly Chunk[]
  /** Where the index has checksums of pieces that are smaller than chunks. */
  pieces: PieceSection | undefined
}

/** Thrown if bytes are not a chunk index that this version can read. */
export class InvalidChunkIndex extends Error {}

const magic = 0x51534349
const version = 1
const sha256Id = 1
const cutterId = 1
export const headerBytes = 64
const hashBytes = 32
const entryBytes = 4 + hashBytes

export const pieceSectionName = 0x50494543
/** The name and size of the section, and the size of the pieces. */
export const sectionHeaderBytes = 20
/** A rolling checksum and a CRC-32. */
export const sumBytes = 8
export const minPieceBytes = 512
const maxPieceBytes = 4 * 1024 * 1024

/** The average chunk size doubles where an index would have more chunks than this, so that it has at most about 10 MB. */
const maxAverageChunks = 2 ** 18

/** Returns the sizes of the chunks of a file: 64 KiB on average, and more if the file is larger than 16 GiB. */
export function chunkSizesFor(fileBytes: number): CutSizes {
  let averageBits = 16
  while (fileBytes / 2 ** averageBits > maxAverageChunks) averageBits++
  return { minBytes: 2 ** (averageBits - 2), averageBits, maxBytes: 2 ** (averageBits + 2) }
}

/** Returns new bytes, which are all 0. */
export type Allocate = (length: number) => Uint8Array

export const newBytes: Allocate = (length) => new Uint8Array(length)

/** Writes the index of a file whose chunks become known one after another. */
export class ChunkIndexWriter {
  readonly #sizes: CutSizes
  readonly #allocate: Allocate
  #entries = new Uint8Array(1024 * entryBytes)
  #count = 0
  #fileBytes = 0

  constructor(sizes: CutSizes, allocate = newBytes) {
    this.#sizes = sizes
    this.#allocate = allocate
  }

  /** Adds the next chunk with its SHA-256, which has 32 bytes. */
  add(sizeBytes: number, sha256: Uint8Array): void {
    const at = this.#count * entryBytes
    if (at === this.#entries.length) {
      const larger = new Uint8Array(2 * at)
      larger.set(this.#entries)
      this.#entries = larger
    }
    new DataView(this.#entries.buffer).setUint32(at, sizeBytes, true)
    this.#entries.set(sha256, at + 4)
    this.#count++
    this.#fileBytes += sizeBytes
  }

  /** Returns the index. `fileSha256` is that of the whole file, which has 32 bytes. */
  finish(fileSha256: Uint8Array, section: Uint8Array = new Uint8Array()): Uint8Array {
    const { minBytes, averageBits, maxBytes } = this.#sizes
    const usedBytes = this.#count * entryBytes
    const index = this.#allocate(headerBytes + usedBytes + section.length)
    const view = new DataView(index.buffer)
    view.setUint32(0, magic)
    index.set([version, sha256Id, cutterId, averageBits], 4)
    view.setUint32(8, minBytes, true)
    view.setUint32(12, maxBytes, true)
    view.setBigUint64(16, BigInt(this.#fileBytes), true)
    index.set(fileSha256, 24)
    view.setUint32(56, this.#count, true)
    index.set(this.#entries.subarray(0, usedBytes), headerBytes)
    index.set(section, headerBytes + usedBytes)
    return index
  }
}

const smallestChunkBytes = 4 * 1024
const largestChunkBytes = 64 * 1024 * 1024

/** Returns the size of the largest index that describes a file of this size, without additional sections. */
export const maxChunkIndexBytes = (fileBytes: number): number =>
  headerBytes + entryBytes * Math.ceil(fileBytes / smallestChunkBytes)

/**
 * Returns the size of the start of an index that `readChunkIndex` needs: everything but the checksums of pieces. `header`
 * are its first 64 bytes. Throws `InvalidChunkIndex` if they are not the header of an index.
 */
export const chunkIndexStartBytes = (header: Uint8Array): number =>
  headerBytes + readHeader(header).count * entryBytes + sectionHeaderBytes

function readHeader(bytes: Uint8Array) {
  if (bytes.length < headerBytes) throw new InvalidChunkIndex('The chunk index is incomplete.')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0) !== magic) throw new InvalidChunkIndex('The file is not a chunk index.')
  if (bytes[4] !== version || bytes[5] !== sha256Id || bytes[6] !== cutterId)
    throw new InvalidChunkIndex('The chunk index has an unknown version.')
  const fileBytes = Number(view.getBigUint64(16, true))
  return { view, sizes: readSizes(view), fileBytes, count: view.getUint32(56, true) }
}

/**
 * Reads an index, of which the checksums of pieces may be absent. Throws `InvalidChunkIndex` unless its chunks have the
 * sizes that its header allows and add up to the file. Whether their hashes are those of the file can be seen only by
 * comparing them with its bytes.
 */
export function readChunkIndex(bytes: Uint8Array): ChunkIndex {
  const { view, sizes, fileBytes, count } = readHeader(bytes)
  if (bytes.length < headerBytes + count * entryBytes)
    throw new InvalidChunkIndex('The chunk index is incomplete.')
  const chunks: Chunk[] = []
  let start = 0
  for (let index = 0; index < count; index++) {
    const at = headerBytes + index * entryBytes
    const sizeBytes = view.getUint32(at, true)
    const isLast = index === count - 1
    if (sizeBytes === 0 || sizeBytes > sizes.maxBytes || (sizeBytes < sizes.minBytes && !isLast))
      throw new InvalidChunkIndex(`Chunk ${index} of the chunk index has an invalid size.`)
    chunks.push({ start, sizeBytes, sha256: toHex(bytes.subarray(at + 4, at + entryBytes)) })
    start += sizeBytes
  }
  if (start !== fileBytes)
    throw new InvalidChunkIndex('The chunks of the chunk index do not add up to the file.')
  const fileSha256 = toHex(bytes.subarray(24, 24 + hashBytes))
  const pieces = readPieceSection(bytes, headerBytes + count * entryBytes, fileBytes)
  return { sizes, fileBytes, fileSha256, chunks, pieces }
}

/**
 * Reads the header of the section at `start` of an index. Returns undefined if the index ends there or has another
 * section, and throws `InvalidChunkIndex` unless the section has one checksum for each complete piece of the file.
 */
function readPieceSection(index: Uint8Array, start: number, fileBytes: number): PieceSection | undefined {
  if (index.length < start + sectionHeaderBytes) return undefined
  const view = new DataView(index.buffer, index.byteOffset + start, sectionHeaderBytes)
  if (view.getUint32(0) !== pieceSectionName) return undefined
  const pieceBytes = view.getUint32(12, true)
  const count = Math.floor(fileBytes / pieceBytes)
  const isValid =
    pieceBytes >= minPieceBytes &&
    pieceBytes <= maxPieceBytes &&
    view.getBigUint64(4, true) === BigInt(8 + count * sumBytes)
  if (!isValid) throw new InvalidChunkIndex('The pieces of the chunk index have an invalid size.')
  return { pieceBytes, count, start: start + sectionHeaderBytes }
}

function readSizes(view: DataView): CutSizes {
  const averageBits = view.getUint8(7)
  const minBytes = view.getUint32(8, true)
  const maxBytes = view.getUint32(12, true)
  const isValid =
    minBytes >= smallestChunkBytes &&
    minBytes <= 2 ** averageBits &&
    2 ** averageBits <= maxBytes &&
    maxBytes <= largestChunkBytes
  if (!isValid) throw new InvalidChunkIndex('The chunk index has invalid chunk sizes.')
  return { minBytes, averageBits, maxBytes }
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexOfByte[byte]
  return hex
}
