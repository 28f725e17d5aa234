import type { ByteSource } from './byte-source.ts'
import {
  CodeDecoder,
  distanceBase,
  distanceExtraBits,
  endOfBlock,
  fixedCodes,
  lengthBase,
  lengthExtraBits,
  readCodeLengths,
  storedBlock,
  tableBits,
  UnopenableStream,
} from './deflate-codes.ts'
import { historyBytes, lookaheadBytes, maxTokenBytes, segmentBytes } from './deflate-segments.ts'
import type { BlockHeader } from './deflate-segments.ts'

/** Buffers start small, because archives have many small entries. */
const minContentBytes = 64 * 1024
const maxInputBytes = 256 * 1024
/** Whole bytes of the bit buffer are returned to the input. */
const keptBytes = 8
const maxHeaders = 65_536

/**
 * Reads a deflate stream. `fill` adds content and tokens at the end of the buffers, and `drop` removes them from the
 * start. Throws `UnopenableStream`.
 */
export class DeflateReader {
  content = new Uint8Array(minContentBytes + maxTokenBytes)
  contentEnd = 0
  /** A literal is its byte, a match its length in the upper 16 bits and its distance in the lower ones. */
  tokens = new Uint32Array(16 * 1024)
  tokenCount = 0
  /** The headers of the blocks whose tokens are in `tokens`, or follow. */
  readonly headers: BlockHeader[] = []
  /** When the stream has ended: the unused bits of its last byte, and its end in the source. */
  tail: { padding: number; streamEnd: number } | undefined
  readonly #source: ByteSource
  readonly #input: Uint8Array
  #inputStart: number
  #inputEnd = 0
  #position = 0
  #bits = 0
  #bitCount = 0
  #codes: { literals: CodeDecoder; distances: CodeDecoder } | undefined
  #isFinal = false

  constructor(source: ByteSource, start = 0) {
    this.#source = source
    this.#inputStart = start
    this.#input = new Uint8Array(Math.min(maxInputBytes, Math.max(0, source.sizeBytes - start) + keptBytes))
  }

  /** Removes content and tokens that have been used. */
  drop(contentBytes: number, tokenCount: number): void {
    this.content.copyWithin(0, contentBytes, this.contentEnd)
    this.contentEnd -= contentBytes
    this.tokens.copyWithin(0, tokenCount, this.tokenCount)
    this.tokenCount -= tokenCount
  }

  /** Reads until the buffers are full or the stream has ended. */
  fill(): void {
    const end = historyBytes + segmentBytes + lookaheadBytes
    while (this.contentEnd < end && this.headers.length < maxHeaders && this.tail === undefined) {
      let target = this.content.length - maxTokenBytes
      if (this.contentEnd >= target) {
        target = Math.min(end, 4 * target)
        const grown = new Uint8Array(target + maxTokenBytes)
        grown.set(this.content)
        this.content = grown
      }
      if (this.#codes !== undefined) this.#readTokens(this.#codes, target)
      else if (this.#isFinal) this.#end()
      else this.#startBlock()
    }
  }

  #end(): void {
    const padding = this.#read(this.#bitCount % 8)
    this.tail = { padding, streamEnd: this.#inputStart + this.#position - this.#bitCount / 8 }
  }

  #startBlock(): void {
    this.#isFinal = this.#read(1) === 1
    const type = this.#read(2)
    const isFinal = this.#isFinal
    if (type === 3) throw new UnopenableStream('A block has an unknown type.')
    if (type === 0) this.#readStored()
    else if (type === 1) {
      this.headers.push({ isFinal, type: 'fixed' })
      this.#codes = {
        literals: new CodeDecoder(fixedCodes.literals),
        distances: new CodeDecoder(fixedCodes.distances),
      }
    } else {
      const bits: number[] = []
      let bitCount = 0
      const { literals, distances } = readCodeLengths((count) => {
        const value = this.#read(count)
        for (let bit = 0; bit < count; bit++, bitCount++) {
          if (bitCount % 8 === 0) bits.push(0)
          bits[bits.length - 1] = (bits.at(-1) ?? 0) | (((value >>> bit) & 1) << (bitCount % 8))
        }
        return value
      })
      this.headers.push({ isFinal, type: 'dynamic', bits, bitCount })
      this.#codes = { literals: new CodeDecoder(literals), distances: new CodeDecoder(distances) }
    }
  }

  #readStored(): void {
    const padding = this.#read(this.#bitCount % 8)
    const sizeBytes = this.#read(16)
    if ((this.#read(16) ^ sizeBytes) !== 0xffff)
      throw new UnopenableStream('A stored block has an invalid size.')
    this.headers.push({ isFinal: this.#isFinal, type: 'stored', padding, sizeBytes })
    for (let index = 0; index < sizeBytes; index++) this.content[this.contentEnd++] = this.#read(8)
    this.#addToken(storedBlock)
  }

  #addToken(token: number): void {
    if (this.tokenCount === this.tokens.length) this.tokens = grow(this.tokens)
    this.tokens[this.tokenCount++] = token
  }

  /** Returns the next bits, at most 16. */
  #read(count: number): number {
    while (this.#bitCount < count) {
      if (this.#position === this.#inputEnd) this.#refill()
      this.#bits |= (this.#input[this.#position++] ?? 0) << this.#bitCount
      this.#bitCount += 8
    }
    const value = this.#bits & ((1 << count) - 1)
    this.#bits >>>= count
    this.#bitCount -= count
    return value
  }

  #refill(): void {
    const kept = Math.min(keptBytes, this.#position)
    this.#input.copyWithin(0, this.#position - kept, this.#inputEnd)
    this.#inputStart += this.#position - kept
    const left = this.#inputEnd - this.#position
    this.#position = kept
    const sourcePosition = this.#inputStart + kept + left
    const size = Math.min(this.#input.length - kept - left, this.#source.sizeBytes - sourcePosition)
    if (size <= 0) throw new UnopenableStream('The stream is incomplete.')
    this.#source.read(this.#input.subarray(kept + left, kept + left + size), sourcePosition)
    this.#inputEnd = kept + left + size
  }

  /** Reads tokens until the block ends or the content reaches a size. */
  #readTokens(codes: { literals: CodeDecoder; distances: CodeDecoder }, target: number): void {
    const nextBit = () => this.#read(1)
    const literalTable = codes.literals.table
    const distanceTable = codes.distances.table
    while (this.contentEnd < target) {
      // One token has at most 48 bits, so with 16 bytes left the input needs no further checks.
      if (this.#inputEnd - this.#position >= 16) {
        if (this.#readFast(literalTable, distanceTable, target)) continue
        if (this.contentEnd >= target) return
      }
      const symbol = this.#readSymbol(codes.literals, nextBit)
      if (symbol < endOfBlock) {
        this.content[this.contentEnd++] = symbol
        this.#addToken(symbol)
      } else if (symbol === endOfBlock) {
        this.#addToken(endOfBlock)
        this.#codes = undefined
        return
      } else {
        const length = this.#readLength(symbol)
        const distance = this.#readDistance(this.#readSymbol(codes.distances, nextBit))
        this.#addMatch(length, distance)
      }
    }
  }

  #readSymbol(decoder: CodeDecoder, nextBit: () => number): number {
    if (this.#bitCount >= tableBits) {
      const found = decoder.table[this.#bits & (2 ** tableBits - 1)] ?? 0
      if (found > 0) {
        this.#bits >>>= found & 15
        this.#bitCount -= found & 15
        return found >>> 4
      }
    }
    return decoder.readSlowly(nextBit)
  }

  #readLength(symbol: number): number {
    const code = symbol - 257
    if (code > 28) throw new UnopenableStream('The stream has an unknown length.')
    const extra = this.#read(lengthExtraBits[code] ?? 0)
    // Length 258 has its own code. If it had two, the structure would have to say which one was used.
    if (code === 27 && extra === 31) throw new UnopenableStream('The stream has an unusual length.')
    return (lengthBase[code] ?? 0) + extra
  }

  #readDistance(code: number): number {
    if (code > 29) throw new UnopenableStream('The stream has an unknown distance.')
    return (distanceBase[code] ?? 0) + this.#read(distanceExtraBits[code] ?? 0)
  }

  #addMatch(length: number, distance: number): void {
    let end = this.contentEnd
    if (distance > end) throw new UnopenableStream('The stream refers to bytes before its start.')
    const { content } = this
    for (let index = 0; index < length; index++, end++) content[end] = content[end - distance] ?? 0
    this.contentEnd = end
    this.#addToken((length << 16) | distance)
  }

  /** Reads tokens with short codes without checking the end of the input. Returns whether it stopped because of the input. */
  #readFast(literalTable: Uint16Array, distanceTable: Uint16Array, target: number): boolean {
    const input = this.#input
    const { content } = this
    const lastPosition = this.#inputEnd - 16
    const mask = 2 ** tableBits - 1
    let bits = this.#bits
    let bitCount = this.#bitCount
    let position = this.#position
    let end = this.contentEnd
    let count = this.tokenCount
    let { tokens } = this
    let isStuck = false
    while (end < target && position <= lastPosition) {
      if (count === tokens.length) tokens = grow(tokens)
      while (bitCount <= 16) {
        bits |= ((input[position] ?? 0) | ((input[position + 1] ?? 0) << 8)) << bitCount
        position += 2
        bitCount += 16
      }
      const found = literalTable[bits & mask] ?? 0
      const symbol = found >>> 4
      if (found === 0 || symbol === endOfBlock || symbol > 285) {
        isStuck = true
        break
      }
      if (symbol < endOfBlock) {
        bits >>>= found & 15
        bitCount -= found & 15
        content[end++] = symbol
        tokens[count++] = symbol
        continue
      }
      const [bitsBefore, countBefore, positionBefore] = [bits, bitCount, position]
      bits >>>= found & 15
      bitCount -= found & 15
      const lengthCode = symbol - 257
      const lengthBits = lengthExtraBits[lengthCode] ?? 0
      const length = (lengthBase[lengthCode] ?? 0) + (bits & ((1 << lengthBits) - 1))
      bits >>>= lengthBits
      bitCount -= lengthBits
      while (bitCount <= 16) {
        bits |= ((input[position] ?? 0) | ((input[position + 1] ?? 0) << 8)) << bitCount
        position += 2
        bitCount += 16
      }
      const foundDistance = distanceTable[bits & mask] ?? 0
      const distanceCode = foundDistance >>> 4
      if (foundDistance === 0 || distanceCode > 29 || (length === 258 && lengthCode < 28)) {
        bits = bitsBefore
        bitCount = countBefore
        position = positionBefore
        isStuck = true
        break
      }
      bits >>>= foundDistance & 15
      bitCount -= foundDistance & 15
      while (bitCount <= 16) {
        bits |= ((input[position] ?? 0) | ((input[position + 1] ?? 0) << 8)) << bitCount
        position += 2
        bitCount += 16
      }
      const distanceBits = distanceExtraBits[distanceCode] ?? 0
      const distance = (distanceBase[distanceCode] ?? 0) + (bits & ((1 << distanceBits) - 1))
      bits >>>= distanceBits
      bitCount -= distanceBits
      if (distance > end) throw new UnopenableStream('The stream refers to bytes before its start.')
      for (const matchEnd = end + length; end < matchEnd; end++) content[end] = content[end - distance] ?? 0
      tokens[count++] = (length << 16) | distance
    }
    this.#bits = bits
    this.#bitCount = bitCount
    this.#position = position
    this.contentEnd = end
    this.tokenCount = count
    this.tokens = tokens
    return !isStuck
  }
}

function grow(tokens: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(2 * tokens.length)
  grown.set(tokens)
  return grown
}
