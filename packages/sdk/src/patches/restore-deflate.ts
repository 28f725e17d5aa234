import { historyBytes, lookaheadBytes, maxTokenBytes, segmentBytes } from './deflate-segments.ts'
import type { BlockHeader } from './deflate-segments.ts'
import { structureEvents } from './deflate-structure.ts'
import { DeflateWriter } from './deflate-writer.ts'
import { ByteReader, InvalidPatch } from './patch-bytes.ts'
import { literal, TokenPredictor } from './token-predictor.ts'
import type { PredictorSettings } from './token-predictor.ts'

const maxSegmentBytes = historyBytes + segmentBytes + maxTokenBytes
const outputBytes = 1024 * 1024

/** Restores the bytes of a deflate stream from its content and its structure. */
export class DeflateRestorer {
  readonly #predictor: TokenPredictor
  readonly #writer = new DeflateWriter()
  #content = new Uint8Array(0)
  readonly #nextContent: () => Uint8Array | undefined
  #left: Uint8Array = new Uint8Array(0)
  #contentEnd = 0
  #position = 0
  #isInBlock = false
  #isFinal = false
  #hasEnded = false

  /** `nextContent` returns the content in pieces of any size, and undefined at its end. */
  constructor(settings: PredictorSettings, nextContent: () => Uint8Array | undefined) {
    this.#predictor = new TokenPredictor(settings)
    this.#nextContent = nextContent
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Yields the bytes of the next segment. Throws `InvalidPatch` or `UnopenableStream`. */
  *segment(structure: Uint8Array): Generator<Uint8Array> {
    if (this.#hasEnded) throw new InvalidPatch('The patch continues after the end of a stream.')
    const parts = new ByteReader(structure)
    const contentBytes = parts.number(maxSegmentBytes)
    this.#fill(contentBytes)
    const segment = new SegmentReader(parts)
    const end = this.#position + contentBytes
    for (;;) {
      if (!this.#isInBlock && segment.hasHeader && !this.#isFinal) this.#startBlock(segment, end)
      else if (this.#events(segment, end)) break
      if (this.#writer.length >= outputBytes) yield this.#writer.take()
    }
    if (this.#position !== end) throw new InvalidPatch('A segment of the patch has the wrong size.')
    if (this.#writer.length > 0) yield this.#writer.take()
  }

  /** Reads content until the segment and the bytes to look ahead are there. */
  #fill(contentBytes: number): void {
    const dropped = Math.max(0, this.#position - historyBytes)
    this.#content.copyWithin(0, dropped, this.#contentEnd)
    this.#contentEnd -= dropped
    this.#position -= dropped
    const target = this.#position + contentBytes + lookaheadBytes
    if (target > this.#content.length) {
      const grown = new Uint8Array(target)
      grown.set(this.#content.subarray(0, this.#contentEnd))
      this.#content = grown
    }
    while (this.#contentEnd < target) {
      if (this.#left.length === 0) {
        const next = this.#nextContent()
        if (next === undefined) break
        this.#left = next
        continue
      }
      const taken = this.#left.subarray(0, target - this.#contentEnd)
      this.#content.set(taken, this.#contentEnd)
      this.#contentEnd += taken.length
      this.#left = this.#left.subarray(taken.length)
    }
    if (this.#contentEnd < this.#position + contentBytes)
      throw new InvalidPatch('The content of a stream is incomplete.')
    this.#predictor.setContent(this.#content, this.#contentEnd, dropped)
  }

  #startBlock(segment: SegmentReader, end: number): void {
    const header = segment.header()
    this.#writer.header(header)
    this.#isFinal = header.isFinal
    this.#isInBlock = header.type !== 'stored'
    if (header.type !== 'stored') return
    if (header.sizeBytes > end - this.#position) throw new InvalidPatch('A stored block is too large.')
    this.#writer.stored(this.#content.subarray(this.#position, this.#position + header.sizeBytes))
    this.#accept(header.sizeBytes)
  }

  #accept(length: number): void {
    this.#predictor.accept(this.#position, length)
    this.#position += length
  }

  /** Writes predicted tokens and what follows them. Returns whether the segment has ended. */
  #events(segment: SegmentReader, end: number): boolean {
    const run = segment.run(end - this.#position)
    const kind = segment.kind()
    if (!this.#isInBlock && (run > 0 || kind < structureEvents.endOfSegment))
      throw new InvalidPatch('A segment of the patch has tokens without a block.')
    for (let index = 0; index < run; index++) this.#token(this.#predictor.predict(this.#position), end)
    if (kind === structureEvents.endOfBlock) {
      this.#writer.endBlock()
      this.#isInBlock = false
    } else if (kind === structureEvents.endOfStream) {
      if (!this.#isFinal || this.#isInBlock) throw new InvalidPatch('A stream ends within a block.')
      this.#writer.pad(segment.padding())
      this.#writer.end()
      this.#hasEnded = true
      return true
    } else if (kind === structureEvents.endOfSegment) {
      segment.padding()
      return true
    } else
      this.#token(
        segment.token(kind, () => this.#predictor.predict(this.#position)),
        end,
      )
    return false
  }

  #token(token: number, end: number): void {
    const length = token === literal ? 1 : token >>> 16
    const distance = token & 0xffff
    if (length > end - this.#position || distance > this.#position)
      throw new InvalidPatch('A token of the patch is outside of its segment.')
    if (token === literal) this.#writer.literal(this.#content[this.#position] ?? 0)
    else this.#writer.match(length, distance)
    this.#accept(length)
  }
}

class SegmentReader {
  readonly #runs: ByteReader
  readonly #kinds: ByteReader
  readonly #lengths: ByteReader
  readonly #lowDistances: ByteReader
  readonly #highDistances: ByteReader
  readonly #headers: ByteReader

  constructor(parts: ByteReader) {
    const next = () => new ByteReader(parts.block())
    this.#runs = next()
    this.#kinds = next()
    this.#lengths = next()
    this.#lowDistances = next()
    this.#highDistances = next()
    this.#headers = next()
  }

  /** The last byte is the padding of the stream. */
  get hasHeader(): boolean {
    return this.#headers.leftBytes > 1
  }

  header(): BlockHeader {
    const type = this.#headers.byte()
    const isFinal = type % 2 === 1
    if (type > 5) throw new InvalidPatch('A block of the patch has an unknown type.')
    if (type < 2)
      return {
        isFinal,
        type: 'stored',
        padding: this.#headers.byte() & 127,
        sizeBytes: this.#headers.number(maxTokenBytes),
      }
    if (type < 4) return { isFinal, type: 'fixed' }
    const bitCount = this.#headers.number(8192)
    return { isFinal, type: 'dynamic', bitCount, bits: [...this.#headers.bytes(Math.ceil(bitCount / 8))] }
  }

  padding(): number {
    return this.#headers.byte() & 127
  }

  run(max: number): number {
    return this.#runs.number(max)
  }

  kind(): number {
    return this.#kinds.byte()
  }

  /** Returns the token of an event, for which the predicted one may be needed. */
  token(kind: number, predict: () => number): number {
    // The predictor is asked for every token, because its state depends on it.
    const predicted = predict()
    if (kind === structureEvents.literal) return literal
    if (kind === structureEvents.sameLength && predicted !== literal)
      return (predicted & 0xffff_0000) | this.#distance()
    const length = this.#lengths.byte() + 3
    if (kind === structureEvents.sameDistance && predicted !== literal)
      return (length << 16) | (predicted & 0xffff)
    if (kind === structureEvents.match) return (length << 16) | this.#distance()
    throw new InvalidPatch('The patch has an unknown event.')
  }

  #distance(): number {
    const distance = (this.#lowDistances.byte() | (this.#highDistances.byte() << 8)) + 1
    if (distance > historyBytes) throw new InvalidPatch('A distance of the patch is too large.')
    return distance
  }
}
