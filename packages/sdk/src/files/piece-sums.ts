import {
  minPieceBytes,
  newBytes,
  pieceSectionName,
  sectionHeaderBytes,
  sumBytes,
  type Allocate,
} from './chunk-index.ts'

/** Returns the CRC-32 of bytes, or of bytes that follow those with the CRC-32 `value`. */
type Crc32 = (bytes: Uint8Array, value?: number) => number

/** The size of pieces doubles where a file would have more of them, so that the section has at most 16 MB. */
const maxPieces = 2 ** 21

/** Returns the size of the pieces of a file: a sixteenth of its chunks on average, and more if the section would be large. */
function pieceSizeFor(fileBytes: number, averageBits: number): number {
  let pieceBytes = Math.max(minPieceBytes, 2 ** (averageBits - 4))
  while (fileBytes / pieceBytes > maxPieces) pieceBytes *= 2
  return pieceBytes
}

const multiplier = 0x2c9277b5

const m1 = multiplier
const m2 = Math.imul(m1, m1)
const m3 = Math.imul(m2, m1)
const m4 = Math.imul(m3, m1)

/** Adds bytes to a rolling checksum, which is the value of a polynomial modulo 2^32. */
function roll(sum: number, bytes: Uint8Array, start: number, end: number): number {
  let rolled = sum
  let index = start
  // Four bytes at a time, because each multiplication waits for the previous one.
  for (; index + 4 <= end; index += 4)
    rolled =
      (Math.imul(rolled, m4) +
        (Math.imul(bytes[index] ?? 0, m3) +
          Math.imul(bytes[index + 1] ?? 0, m2) +
          Math.imul(bytes[index + 2] ?? 0, m1) +
          (bytes[index + 3] ?? 0))) |
      0
  for (; index < end; index++) rolled = (Math.imul(rolled, m1) + (bytes[index] ?? 0)) | 0
  return rolled
}

/** Computes the checksums of the pieces of a file whose bytes become known one after another. */
export class PieceSummer {
  readonly #pieceBytes: number
  readonly #section: Uint8Array
  readonly #view: DataView
  readonly #crc32: Crc32
  #position = 0
  #sum = 0
  #crc = 0

  constructor(fileBytes: number, averageBits: number, crc32: Crc32, allocate: Allocate = newBytes) {
    this.#pieceBytes = pieceSizeFor(fileBytes, averageBits)
    const count = Math.floor(fileBytes / this.#pieceBytes)
    this.#section = allocate(sectionHeaderBytes + count * sumBytes)
    this.#view = new DataView(this.#section.buffer)
    this.#view.setUint32(0, pieceSectionName)
    this.#view.setBigUint64(4, BigInt(8 + count * sumBytes), true)
    this.#view.setUint32(12, this.#pieceBytes, true)
    this.#crc32 = crc32
  }

  push(bytes: Uint8Array): void {
    for (let taken = 0; taken < bytes.length;) {
      const piece = Math.floor(this.#position / this.#pieceBytes)
      const end = Math.min(bytes.length, taken + (piece + 1) * this.#pieceBytes - this.#position)
      this.#sum = roll(this.#sum, bytes, taken, end)
      this.#crc = this.#crc32(bytes.subarray(taken, end), this.#crc)
      this.#position += end - taken
      taken = end
      if (this.#position % this.#pieceBytes > 0) continue
      const at = sectionHeaderBytes + piece * sumBytes
      this.#view.setInt32(at, this.#sum, true)
      this.#view.setUint32(at + 4, this.#crc, true)
      this.#sum = 0
      this.#crc = 0
    }
  }

  /** Returns the section of the index. */
  finish(): Uint8Array {
    return this.#section
  }
}

const none = -1

/**
 * Receives the number of a piece and its position in the bytes. `equal` yields the numbers of all pieces with these
 * checksums.
 */
export type OnPiece = (piece: number, position: number, equal: Iterable<number>) => void

/** Searches bytes for pieces of which only the checksums are known, at any position. */
export class PieceSearch {
  readonly #pieceBytes: number
  readonly #crc32: Crc32
  /** The factor of a byte that leaves the rolling checksum. */
  readonly #leaving: number
  readonly #sums: Int32Array
  readonly #crcs: Uint32Array
  readonly #pieces: Float64Array
  readonly #shift: number
  /** The first sum in each place of a hash table, and the next one in the same place. */
  readonly #first: Int32Array
  readonly #next: Int32Array
  #count = 0
  #lastFound = none
  /** How often bytes are compared without being those of a piece, until the search ends. */
  #leftMismatches = 100_000

  constructor(pieceBytes: number, maxCount: number, crc32: Crc32) {
    this.#pieceBytes = pieceBytes
    this.#crc32 = crc32
    let leaving = 1
    for (let index = 0; index < pieceBytes; index++) leaving = Math.imul(leaving, multiplier)
    this.#leaving = leaving
    const bits = Math.min(24, Math.max(10, Math.ceil(Math.log2(4 * (maxCount + 1)))))
    this.#shift = 32 - bits
    this.#first = new Int32Array(2 ** bits).fill(none)
    this.#next = new Int32Array(maxCount).fill(none)
    this.#sums = new Int32Array(maxCount)
    this.#crcs = new Uint32Array(maxCount)
    this.#pieces = new Float64Array(maxCount)
  }

  /** Adds the checksums of consecutive pieces, the first of which has a number. */
  add(firstPiece: number, sums: Uint8Array): void {
    const view = new DataView(sums.buffer, sums.byteOffset, sums.byteLength)
    const added = Math.min(Math.floor(sums.length / sumBytes), this.#next.length - this.#count)
    // The first of equal pieces is found first, so that the next ones can follow it.
    for (let piece = added - 1; piece >= 0; piece--) {
      const index = this.#count + piece
      const sum = view.getInt32(piece * sumBytes, true)
      const place = this.#placeOf(sum)
      this.#sums[index] = sum
      this.#crcs[index] = view.getUint32(piece * sumBytes + 4, true)
      this.#pieces[index] = firstPiece + piece
      this.#next[index] = this.#first[place] ?? none
      this.#first[place] = index
    }
    this.#count += added
  }

  /**
   * Calls `onFound` where `bytes` contain a piece. Of several equal ones, it receives the one that follows the previous
   * piece if there is one.
   */
  search(bytes: Uint8Array, onFound: OnPiece): void {
    const length = this.#pieceBytes
    let sum = roll(0, bytes, 0, length)
    for (let end = length; end <= bytes.length && this.#leftMismatches > 0;) {
      if ((this.#first[this.#placeOf(sum)] ?? none) !== none && this.#compare(sum, bytes, end, onFound)) {
        sum = roll(0, bytes, end, Math.min(bytes.length, end + length))
        end += length
        continue
      }
      sum =
        (Math.imul(sum, multiplier) +
          (bytes[end] ?? 0) -
          Math.imul(bytes[end - length] ?? 0, this.#leaving)) |
        0
      end++
    }
  }

  #compare(sum: number, bytes: Uint8Array, end: number, onFound: OnPiece): boolean {
    let crc: number | undefined
    const isEqual = (index: number): boolean => {
      if (this.#sums[index] !== sum) return false
      crc ??= this.#crc32(bytes.subarray(end - this.#pieceBytes, end))
      return this.#crcs[index] === crc
    }
    const following = this.#lastFound + 1
    let found = following < this.#count && isEqual(following) ? following : none
    if (found === none) {
      found = this.#first[this.#placeOf(sum)] ?? none
      while (found !== none && !isEqual(found)) found = this.#next[found] ?? none
    }
    if (found !== none) {
      this.#lastFound = found
      onFound(this.#pieces[found] ?? 0, end - this.#pieceBytes, this.#equalTo(found))
      return true
    }
    if (crc !== undefined) this.#leftMismatches--
    return false
  }

  *#equalTo(found: number): Generator<number> {
    const sum = this.#sums[found] ?? 0
    for (
      let index = this.#first[this.#placeOf(sum)] ?? none;
      index !== none;
      index = this.#next[index] ?? none
    )
      if (this.#sums[index] === sum && this.#crcs[index] === this.#crcs[found]) yield this.#pieces[index] ?? 0
  }

  #placeOf(sum: number): number {
    return Math.imul(sum ^ (sum >>> 15), 0x9e3779b1) >>> this.#shift
  }
}
