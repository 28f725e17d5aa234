import { historyBytes } from './deflate-segments.ts'

/** How a compressor chooses tokens, in the terms of zlib. */
export type PredictorSettings = {
  /** The hash of the next bytes: of three bytes as zlib computes it for 15 or 16 bits, or of three or four bytes. */
  hash: 'zlib-15' | 'zlib-16' | 'three' | 'four'
  goodLength: number
  maxLazy: number
  niceLength: number
  maxChain: number
  /** Takes a match at once, as levels 1 to 3 do. */
  isGreedy: boolean
}

/** The largest distance that zlib uses, because it keeps 262 bytes to look ahead. */
const maxDistance = historyBytes - 262
const maxMatch = 258
const tooFar = 4096
const mask = historyBytes - 1
/** Comparisons for each byte on average, which bound the time that a hostile stream can take. */
const averageSteps = 256
const maxSavedSteps = 2 ** 26
/** Comparing this many bytes counts as another comparison. */
const stepBytes = 16
const minChain = 16

/** Enough places that different bytes rarely share one. */
const exactBits = 16

/** Stands for a literal. */
export const literal = 0

/** Predicts the tokens of a deflate stream from its content, as zlib and similar compressors choose them. */
export class TokenPredictor {
  readonly #settings: PredictorSettings
  readonly #head: Int32Array
  readonly #previous = new Int32Array(historyBytes)
  #content: Uint8Array = new Uint8Array(0)
  #contentEnd = 0
  #inserted: number
  /** A match that was found when the previous token was predicted. */
  #pendingPosition = -1
  #pendingMatch = 0
  /** The length of the match at the position before, which was not used. */
  #lastLength = 2
  #lastPosition = -1
  #leftSteps = 0

  constructor(settings: PredictorSettings) {
    this.#settings = settings
    // Positions are stored plus one. zlib never finds the first byte, because its position is 0.
    this.#head = new Int32Array(65_536)
    this.#inserted = 1
  }

  /** Sets the content, of which earlier calls knew a part, after bytes were removed from its start. */
  setContent(content: Uint8Array, contentEnd: number, droppedBytes: number): void {
    this.#content = content
    this.#contentEnd = contentEnd
    if (droppedBytes === 0) return
    this.#inserted -= droppedBytes
    this.#pendingPosition -= droppedBytes
    this.#lastPosition -= droppedBytes
    for (const table of [this.#head, this.#previous])
      for (let index = 0; index < table.length; index++)
        table[index] = Math.max(0, (table[index] ?? 0) - droppedBytes)
  }

  /** Returns the token that is likely at a position: `literal`, or a match. */
  predict(position: number): number {
    const { maxLazy, isGreedy } = this.#settings
    const lastLength = this.#lastPosition === position - 1 ? this.#lastLength : 2
    const match =
      this.#pendingPosition === position
        ? this.#pendingMatch
        : this.#findMatch(position, isGreedy ? 2 : lastLength)
    const length = match >>> 16
    this.#lastPosition = position
    this.#lastLength = Math.max(2, length)
    this.#pendingPosition = -1
    if (length < 3 || isGreedy || length >= maxLazy) return match
    const next = this.#findMatch(position + 1, length)
    if (next >>> 16 <= length) return match
    this.#pendingPosition = position + 1
    this.#pendingMatch = next
    return literal
  }

  /** Takes the token that is really there. */
  accept(position: number, length: number): void {
    if (length === 1) return
    this.#pendingPosition = -1
    this.#lastPosition = -1
    if (this.#settings.isGreedy && length > this.#settings.maxLazy) {
      this.#insertUntil(position + 1)
      this.#inserted = position + length
    }
  }

  #insertUntil(end: number): void {
    const content = this.#content
    const head = this.#head
    const previous = this.#previous
    const last = Math.min(end, this.#contentEnd - 2)
    const { hash } = this.#settings
    let position = this.#inserted
    if (hash === 'zlib-15')
      for (; position < last; position++) {
        const key =
          (((content[position] ?? 0) << 10) ^
            ((content[position + 1] ?? 0) << 5) ^
            (content[position + 2] ?? 0)) &
          0x7fff
        previous[(position + 1) & mask] = head[key] ?? 0
        head[key] = position + 1
      }
    else
      for (; position < last; position++) {
        const key = keyAt(content, position, hash)
        previous[(position + 1) & mask] = head[key] ?? 0
        head[key] = position + 1
      }
    this.#inserted = Math.max(position, this.#inserted)
  }

  /** Returns the longest match that is longer than `minLength`, with the nearest of equal ones, or 0. */
  #findMatch(position: number, minLength: number): number {
    if (position + 1 > this.#inserted) this.#insertUntil(position + 1)
    if (position + 3 > this.#contentEnd || position < 1) return 0
    const content = this.#content
    const previous = this.#previous
    const { goodLength, niceLength, maxChain, isGreedy } = this.#settings
    const maxLength = Math.min(maxMatch, this.#contentEnd - position)
    const enough = Math.min(niceLength, maxLength)
    let chain = minLength >= goodLength ? maxChain >>> 2 : maxChain
    let left = Math.min(this.#leftSteps + averageSteps, maxSavedSteps)
    if (chain > left) chain = Math.min(chain, minChain)
    const before = chain
    const limit = Math.max(0, position - maxDistance)
    // Positions are those of the tables, which are one more.
    let candidate = previous[(position + 1) & mask] ?? 0
    let best = minLength
    let bestStart = -1
    const first = content[position] ?? 0
    const second = content[position + 1] ?? 0
    const third = content[position + 2] ?? 0
    let lastBest = content[position + best] ?? 0
    let beforeBest = content[position + best - 1] ?? 0
    while (candidate > limit && chain > 0) {
      const start = candidate - 1
      chain--
      if (
        content[start + best] === lastBest &&
        content[start + best - 1] === beforeBest &&
        content[start] === first &&
        content[start + 1] === second &&
        content[start + 2] === third
      ) {
        let length = 3
        while (length < maxLength && content[start + length] === content[position + length]) length++
        left -= length / stepBytes
        if (length > best) {
          best = length
          bestStart = start
          if (length >= enough) break
          lastBest = content[position + best] ?? 0
          beforeBest = content[position + best - 1] ?? 0
        }
      }
      const next = previous[candidate & mask] ?? 0
      if (next >= candidate) break
      candidate = next
    }
    this.#leftSteps = left - (before - chain)
    if (bestStart < 0) return 0
    const distance = position - bestStart
    if (best === 3 && distance > tooFar && !isGreedy) return 0
    return (best << 16) | distance
  }
}

function keyAt(content: Uint8Array, position: number, hash: PredictorSettings['hash']): number {
  const [a, b, c] = [content[position] ?? 0, content[position + 1] ?? 0, content[position + 2] ?? 0]
  if (hash === 'zlib-15') return ((a << 10) ^ (b << 5) ^ c) & 0x7fff
  if (hash === 'zlib-16') return ((a << 12) ^ (b << 6) ^ c) & 0xffff
  const bytes = a | (b << 8) | (c << 16) | (hash === 'four' ? (content[position + 3] ?? 0) << 24 : 0)
  return Math.imul(bytes, 0x9e3779b1) >>> (32 - exactBits)
}
