import type { ByteSource } from './byte-source.ts'
import { endOfBlock, storedBlock } from './deflate-codes.ts'
import { DeflateReader } from './deflate-reader.ts'
import { historyBytes, lookaheadBytes } from './deflate-segments.ts'
import type { BlockHeader } from './deflate-segments.ts'
import { ByteWriter } from './patch-bytes.ts'
import { literal, TokenPredictor } from './token-predictor.ts'
import type { PredictorSettings } from './token-predictor.ts'

/** What follows tokens that were predicted. */
export const structureEvents = {
  literal: 0,
  match: 1,
  sameLength: 2,
  sameDistance: 3,
  endOfBlock: 4,
  endOfSegment: 5,
  endOfStream: 6,
} as const

/** A part of the content of a deflate stream, and what else is needed to restore its bytes. */
export type OpenedSegment = {
  content: Uint8Array
  structure: Uint8Array
  /** In the last segment: the position in the source at which the stream ends. */
  streamEnd?: number
}

/** Yields a deflate stream as segments. The content is valid until the next segment. Throws `UnopenableStream`. */
export function* openDeflate(
  source: ByteSource,
  start: number,
  settings: PredictorSettings,
): Generator<OpenedSegment> {
  const reader = new DeflateReader(source, start)
  const predictor = new TokenPredictor(settings)
  let position = 0
  let dropped = 0
  let needsHeader = true
  for (;;) {
    reader.fill()
    predictor.setContent(reader.content, reader.contentEnd, dropped)
    const segment = new SegmentWriter()
    const first = position
    const limit = reader.tail === undefined ? reader.contentEnd - lookaheadBytes : reader.contentEnd
    let tokenCount = 0
    let headerCount = 0
    for (; tokenCount < reader.tokenCount && (reader.tail !== undefined || position < limit); tokenCount++) {
      const token = reader.tokens[tokenCount] ?? 0
      const header = needsHeader ? reader.headers[headerCount] : undefined
      if (needsHeader) headerCount++
      if (header !== undefined) segment.header(header)
      needsHeader = token === endOfBlock || token === storedBlock
      if (token === endOfBlock) segment.event(structureEvents.endOfBlock)
      else if (token === storedBlock) {
        const sizeBytes = header?.type === 'stored' ? header.sizeBytes : 0
        predictor.accept(position, sizeBytes)
        position += sizeBytes
      } else {
        const length = token < endOfBlock ? 1 : token >>> 16
        segment.token(token < endOfBlock ? literal : token, predictor.predict(position))
        predictor.accept(position, length)
        position += length
      }
    }
    const isLast = reader.tail !== undefined && tokenCount === reader.tokenCount
    if (reader.tail !== undefined && isLast) segment.end(structureEvents.endOfStream, reader.tail.padding)
    else segment.end(structureEvents.endOfSegment, 0)
    yield {
      content: reader.content.subarray(first, position),
      structure: segment.finish(position - first),
      ...(isLast ? { streamEnd: reader.tail?.streamEnd ?? 0 } : {}),
    }
    if (isLast) return
    reader.headers.splice(0, headerCount)
    dropped = Math.max(0, position - historyBytes)
    reader.drop(dropped, tokenCount)
    position -= dropped
  }
}

class SegmentWriter {
  #run = 0
  readonly #runs = new ByteWriter()
  readonly #kinds = new ByteWriter()
  readonly #lengths = new ByteWriter()
  readonly #lowDistances = new ByteWriter()
  readonly #highDistances = new ByteWriter()
  readonly #headers = new ByteWriter()

  header(header: BlockHeader): void {
    const type = { stored: 0, fixed: 2, dynamic: 4 }[header.type]
    this.#headers.byte(type + (header.isFinal ? 1 : 0))
    if (header.type === 'stored') {
      this.#headers.byte(header.padding)
      this.#headers.number(header.sizeBytes)
    } else if (header.type === 'dynamic') {
      this.#headers.number(header.bitCount)
      this.#headers.bytes(Uint8Array.from(header.bits))
    }
  }

  token(actual: number, predicted: number): void {
    if (actual === predicted) {
      this.#run++
      return
    }
    if (actual === literal) this.event(structureEvents.literal)
    else if (actual >>> 16 === predicted >>> 16) {
      this.event(structureEvents.sameLength)
      this.#distance(actual)
    } else if (((actual ^ predicted) & 0xffff) === 0) {
      this.event(structureEvents.sameDistance)
      this.#lengths.byte((actual >>> 16) - 3)
    } else {
      this.event(structureEvents.match)
      this.#lengths.byte((actual >>> 16) - 3)
      this.#distance(actual)
    }
  }

  #distance(token: number): void {
    const distance = (token & 0xffff) - 1
    this.#lowDistances.byte(distance & 255)
    this.#highDistances.byte(distance >>> 8)
  }

  event(kind: number): void {
    this.#runs.number(this.#run)
    this.#kinds.byte(kind)
    this.#run = 0
  }

  end(kind: number, padding: number): void {
    this.event(kind)
    this.#headers.byte(padding)
  }

  finish(contentBytes: number): Uint8Array {
    const segment = new ByteWriter()
    segment.number(contentBytes)
    for (const part of [
      this.#runs,
      this.#kinds,
      this.#lengths,
      this.#lowDistances,
      this.#highDistances,
      this.#headers,
    ])
      segment.block(part.view())
    return segment.view()
  }
}
