import type { CutSizes } from './content-cutter.ts'

// docs/chunk-index.md describes the format.

/** Smaller files have no index, because downloading them takes about as long as reading an index. */
export const minIndexedBytes = 1024 * 1024

/** A piece of a file that its content cuts. `sha256` is hexadecimal. */
export type Chunk = { start: number; sizeBytes: number; sha256: string }

export type ChunkIndex = {
  /** The sizes with which `cutContent` yields the chunks. */
  sizes: CutSizes
  fileBytes: number
  /** The SHA-256 of the whole file in hexadecimal. */
  fileSha256: string
  chunks: readonly Chunk[]
}

/** Thrown if bytes are not a chunk index that this version can read. */
export class InvalidChunkIndex extends Error {}

const magic = 0x51534349
const version = 1
const sha256Id = 1
const cutterId = 1
const headerBytes = 64
const hashBytes = 32
const entryBytes = 4 + hashBytes

/** The average chunk size doubles where an index would have more chunks than this, so that it has at most about 10 MB. */
const maxAverageChunks = 2 ** 18

/** Returns the sizes of the chunks of a file: 64 KiB on average, and more if the file is larger than 16 GiB. */
export function chunkSizesFor(fileBytes: number): CutSizes {
  let averageBits = 16
  while (fileBytes / 2 ** averageBits > maxAverageChunks) averageBits++
  return { minBytes: 2 ** (averageBits - 2), averageBits, maxBytes: 2 ** (averageBits + 2) }
}

/** Writes the index of a file whose chunks become known one after another. */
export class ChunkIndexWriter {
  readonly #sizes: CutSizes
  #entries = new Uint8Array(1024 * entryBytes)
  #count = 0
  #fileBytes = 0

  constructor(sizes: CutSizes) {
    this.#sizes = sizes
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
  finish(fileSha256: Uint8Array): Uint8Array {
    const { minBytes, averageBits, maxBytes } = this.#sizes
    const usedBytes = this.#count * entryBytes
    const index = new Uint8Array(headerBytes + usedBytes)
    const view = new DataView(index.buffer)
    view.setUint32(0, magic)
    index.set([version, sha256Id, cutterId, averageBits], 4)
    view.setUint32(8, minBytes, true)
    view.setUint32(12, maxBytes, true)
    view.setBigUint64(16, BigInt(this.#fileBytes), true)
    index.set(fileSha256, 24)
    view.setUint32(56, this.#count, true)
    index.set(this.#entries.subarray(0, usedBytes), headerBytes)
    return index
  }
}

const smallestChunkBytes = 4 * 1024
const largestChunkBytes = 64 * 1024 * 1024

/** Returns the size of the largest index that describes a file of this size, without additional sections. */
export const maxChunkIndexBytes = (fileBytes: number): number =>
  headerBytes + entryBytes * Math.ceil(fileBytes / smallestChunkBytes)

/**
 * Reads an index. Throws `InvalidChunkIndex` unless its chunks have the sizes that its header allows and add up to the
 * file. Whether their hashes are those of the file can be seen only by comparing them with its bytes.
 */
export function readChunkIndex(bytes: Uint8Array): ChunkIndex {
  if (bytes.length < headerBytes) throw new InvalidChunkIndex('The chunk index is incomplete.')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0) !== magic) throw new InvalidChunkIndex('The file is not a chunk index.')
  if (bytes[4] !== version || bytes[5] !== sha256Id || bytes[6] !== cutterId)
    throw new InvalidChunkIndex('The chunk index has an unknown version.')
  const sizes = readSizes(view)
  const fileBytes = Number(view.getBigUint64(16, true))
  const count = view.getUint32(56, true)
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
  return { sizes, fileBytes, fileSha256: toHex(bytes.subarray(24, 24 + hashBytes)), chunks }
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
