export type CutSizes = { minBytes: number; averageBits: number; maxBytes: number }

/**
 * Returns the size of the piece at the start of `bytes`, which ends where the content matches a pattern (FastCDC with
 * normalized sizes). After an insertion or deletion, pieces end at the same content again. `bytes` must contain
 * `maxBytes`, unless the content ends before.
 */
export function cutContent(bytes: Uint8Array, { minBytes, averageBits, maxBytes }: CutSizes): number {
  const end = Math.min(bytes.length, maxBytes)
  if (end <= minBytes) return end
  const average = Math.min(end, 2 ** averageBits)
  // Before the average size, a match is four times less likely than on average, and afterward four times more likely.
  const rareShift = 32 - (averageBits + 2)
  const frequentShift = 32 - (averageBits - 2)
  let hash = 0
  let index = minBytes - windowBytes
  for (; index < minBytes; index++) hash = ((hash << 1) + (gear[bytes[index] ?? 0] ?? 0)) | 0
  for (; index < average; index++) {
    hash = ((hash << 1) + (gear[bytes[index] ?? 0] ?? 0)) | 0
    if (hash >>> rareShift === 0) return index + 1
  }
  for (; index < end; index++) {
    hash = ((hash << 1) + (gear[bytes[index] ?? 0] ?? 0)) | 0
    if (hash >>> frequentShift === 0) return index + 1
  }
  return end
}

/** A byte leaves the hash after this many shifts. */
const windowBytes = 32

/** Random numbers of a fixed sequence (splitmix32). A different table changes the bytes of every archive. */
const gear = Int32Array.from({ length: 256 }, (_, index) => {
  let value = Math.imul(index + 1, 0x9e3779b9)
  value = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  value = Math.imul(value ^ (value >>> 15), 0x735a2d97)
  return value ^ (value >>> 15)
})

/** Cuts a stream into pieces where its content matches a pattern, whatever the sizes of the buffers that it arrives in. */
export class ContentCutter {
  readonly #sizes: CutSizes
  readonly #onPiece: (piece: Uint8Array) => void
  readonly #kept: Uint8Array
  #keptBytes = 0

  /** `onPiece` receives the pieces in their order. Their memory is reused after the call. */
  constructor(sizes: CutSizes, onPiece: (piece: Uint8Array) => void) {
    this.#sizes = sizes
    this.#onPiece = onPiece
    this.#kept = new Uint8Array(Math.max(2 * sizes.maxBytes, 1024 * 1024))
  }

  push(bytes: Uint8Array): void {
    for (let taken = 0; taken < bytes.length;) {
      const part = bytes.subarray(taken, taken + this.#kept.length - this.#keptBytes)
      this.#kept.set(part, this.#keptBytes)
      this.#keptBytes += part.length
      taken += part.length
      if (this.#keptBytes === this.#kept.length) this.#cut(this.#sizes.maxBytes)
    }
  }

  /** Cuts what is left. The stream must not continue. */
  end(): void {
    this.#cut(1)
  }

  /** Cuts pieces until fewer than `minLeftBytes` are left, which may belong to a longer piece. */
  #cut(minLeftBytes: number): void {
    let start = 0
    while (this.#keptBytes - start >= minLeftBytes) {
      const rest = this.#kept.subarray(start, this.#keptBytes)
      const piece = rest.subarray(0, cutContent(rest, this.#sizes))
      this.#onPiece(piece)
      start += piece.length
    }
    this.#kept.copyWithin(0, start, this.#keptBytes)
    this.#keptBytes -= start
  }
}
