import {
  distanceBase,
  distanceExtraBits,
  endOfBlock,
  fixedCodes,
  lengthBase,
  lengthExtraBits,
  readCodeLengths,
  reversedCodes,
  UnopenableStream,
} from './deflate-codes.ts'
import type { CodeLengths } from './deflate-codes.ts'
import type { BlockHeader } from './deflate-segments.ts'

/** The code of each match length and of each distance below 257; larger distances by their upper bits. */
const lengthCodes = new Uint8Array(259)
for (const [code, base] of lengthBase.entries()) lengthCodes.fill(code, base)
const distanceCodes = new Uint8Array(32_769)
for (const [code, base] of distanceBase.entries()) distanceCodes.fill(code, base)

/** Writes a deflate stream from the headers of its blocks and their tokens. */
export class DeflateWriter {
  #bytes = new Uint8Array(64 * 1024)
  #length = 0
  #bits = 0
  #bitCount = 0
  #literals: { codes: Uint16Array; lengths: Uint8Array } = {
    codes: new Uint16Array(0),
    lengths: new Uint8Array(0),
  }
  #distances = this.#literals

  /** Bytes that are complete. */
  get length(): number {
    return this.#length
  }

  /** Returns and removes the complete bytes. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length)
    this.#length = 0
    return taken
  }

  header(header: BlockHeader): void {
    this.#write(header.isFinal ? 1 : 0, 1)
    if (header.type === 'stored') {
      this.#write(0, 2)
      this.pad(header.padding)
      this.#write(header.sizeBytes, 16)
      this.#write(header.sizeBytes ^ 0xffff, 16)
      return
    }
    if (header.type === 'fixed') {
      this.#write(1, 2)
      this.#use(fixedCodes)
      return
    }
    this.#write(2, 2)
    let position = 0
    const codes = readCodeLengths((count) => {
      if (position + count > header.bitCount) throw new UnopenableStream('A block has an incomplete header.')
      let value = 0
      for (let bit = 0; bit < count; bit++, position++)
        value |= (((header.bits[position >>> 3] ?? 0) >>> (position & 7)) & 1) << bit
      this.#write(value, count)
      return value
    })
    if (position !== header.bitCount) throw new UnopenableStream('A block has a header that is too long.')
    this.#use(codes)
  }

  #use({ literals, distances }: CodeLengths): void {
    this.#literals = { codes: reversedCodes(literals), lengths: literals }
    this.#distances = { codes: reversedCodes(distances), lengths: distances }
  }

  /** Fills the last byte with bits. */
  pad(bits: number): void {
    this.#write(bits, (8 - (this.#bitCount % 8)) % 8)
  }

  /** Writes the bytes of a stored block. */
  stored(bytes: Uint8Array): void {
    this.#flush()
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  endBlock(): void {
    this.literal(endOfBlock)
  }

  literal(symbol: number): void {
    const length = this.#literals.lengths[symbol] ?? 0
    if (length === 0) throw new UnopenableStream('A block has no code for a byte.')
    this.#write(this.#literals.codes[symbol] ?? 0, length)
  }

  match(length: number, distance: number): void {
    const lengthCode = lengthCodes[length] ?? 0
    this.literal(257 + lengthCode)
    this.#write(length - (lengthBase[lengthCode] ?? 0), lengthExtraBits[lengthCode] ?? 0)
    const distanceCode = distanceCodes[distance] ?? 0
    const codeLength = this.#distances.lengths[distanceCode] ?? 0
    if (codeLength === 0) throw new UnopenableStream('A block has no code for a distance.')
    this.#write(this.#distances.codes[distanceCode] ?? 0, codeLength)
    this.#write(distance - (distanceBase[distanceCode] ?? 0), distanceExtraBits[distanceCode] ?? 0)
  }

  /** Writes at most 16 bits. */
  #write(value: number, count: number): void {
    this.#bits |= value << this.#bitCount
    this.#bitCount += count
    if (this.#bitCount < 16) return
    this.#reserve(2)
    this.#bytes[this.#length++] = this.#bits & 255
    this.#bytes[this.#length++] = (this.#bits >>> 8) & 255
    this.#bits >>>= 16
    this.#bitCount -= 16
  }

  /** Writes whole bytes of the bit buffer. */
  #flush(): void {
    this.#reserve(2)
    while (this.#bitCount >= 8) {
      this.#bytes[this.#length++] = this.#bits & 255
      this.#bits >>>= 8
      this.#bitCount -= 8
    }
  }

  end(): void {
    this.#flush()
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}
