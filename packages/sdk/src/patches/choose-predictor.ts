import type { ByteSource } from './byte-source.ts'
import { endOfBlock, storedBlock } from './deflate-codes.ts'
import { DeflateReader } from './deflate-reader.ts'
import { lookaheadBytes } from './deflate-segments.ts'
import { literal, TokenPredictor } from './token-predictor.ts'
import type { PredictorSettings } from './token-predictor.ts'

/** Content that is compared with what a compressor would do. */
const firstBytes = 64 * 1024
const comparedBytes = 256 * 1024

/** The levels of zlib: good length, lazy length, nice length, chain, and whether the first match is taken. */
const levels: readonly (readonly [number, number, number, number, boolean])[] = [
  [4, 4, 8, 4, true],
  [4, 5, 16, 8, true],
  [4, 6, 32, 32, true],
  [4, 4, 16, 16, false],
  [8, 16, 32, 32, false],
  [8, 16, 128, 128, false],
  [8, 32, 128, 256, false],
  [32, 128, 258, 1024, false],
  // Level 9 compares up to 4096 positions. A quarter of them takes 25 % less time and adds 0.2 % of the file (measured).
  [32, 258, 258, 1024, false],
]
const hashes = ['zlib-15', 'zlib-16', 'three', 'four'] as const
const [usualHash] = hashes
const usualLevel = 6

const settingsOf = (hash: PredictorSettings['hash'], level: number): PredictorSettings => {
  const [goodLength, maxLazy, niceLength, maxChain, isGreedy] = levels[level - 1] ?? [8, 16, 128, 128, false]
  return { hash, goodLength, maxLazy, niceLength, maxChain, isGreedy }
}

/** Returns the settings that predict the tokens of a stream best. `likely` are those of a stream beside it. */
export function choosePredictor(
  source: ByteSource,
  start: number,
  likely: PredictorSettings | undefined,
): PredictorSettings {
  const reader = new DeflateReader(source, start)
  reader.fill()
  if (likely !== undefined && countErrors(reader, likely, comparedBytes, Infinity) * 200 < reader.tokenCount)
    return likely
  const best = (candidates: readonly PredictorSettings[], bytes: number): PredictorSettings => {
    let chosen = settingsOf(usualHash, usualLevel)
    let fewest = Infinity
    for (const candidate of candidates) {
      const errors = countErrors(reader, candidate, bytes, fewest)
      if (errors >= fewest) continue
      fewest = errors
      chosen = candidate
    }
    return chosen
  }
  const { hash } = best(
    hashes.map((each) => settingsOf(each, usualLevel)),
    firstBytes,
  )
  return best(
    levels.map((_, index) => settingsOf(hash, index + 1)),
    comparedBytes,
  )
}

/** Counts the tokens that a predictor does not expect, up to `max`. */
function countErrors(
  reader: DeflateReader,
  settings: PredictorSettings,
  maxBytes: number,
  max: number,
): number {
  const predictor = new TokenPredictor(settings)
  predictor.setContent(reader.content, reader.contentEnd, 0)
  const end = Math.min(maxBytes, reader.contentEnd - (reader.tail === undefined ? lookaheadBytes : 0))
  let errors = 0
  let position = 0
  let header = 0
  for (let index = 0; index < reader.tokenCount && position < end && errors < max; index++) {
    const token = reader.tokens[index] ?? 0
    if (token === endOfBlock) header++
    if (token === endOfBlock) continue
    let length = token < endOfBlock ? 1 : token >>> 16
    if (token === storedBlock) {
      const block = reader.headers[header++]
      length = block?.type === 'stored' ? block.sizeBytes : 0
    } else if (predictor.predict(position) !== (token < endOfBlock ? literal : token)) errors++
    predictor.accept(position, length)
    position += length
  }
  return errors
}
