import { readRange } from './byte-source.ts'
import type { ByteSource } from './byte-source.ts'
import { OldBytes } from './match-bytes.ts'
import type { Alignment } from './match-bytes.ts'

/** Old bytes that are in memory at once: all of a source up to this size, or what is chosen of a larger one. */
const defaultLimits = { maxWholeBytes: 96 * 1024 * 1024, maxChosenBytes: 48 * 1024 * 1024 }
const blockBytes = 256 * 1024
/** Bytes of a sample, and the samples that are kept of a source of any size. */
const sampleBytes = 32
const sampleTableBits = 22
const maxSamples = 2 ** 21
const minSampleBits = 7
const readBytes = 1024 * 1024

const multiplier = 0x2c9277b5
const leaving = (() => {
  let factor = 1
  for (let index = 0; index < sampleBytes; index++) factor = Math.imul(factor, multiplier)
  return factor
})()

/** A range of old bytes, and its position in the bytes in memory. */
type Window = { start: number; sizeBytes: number; position: number }

/** Chooses the parts of a source that resemble new bytes, so that sources of any size need a limited amount of memory. */
export class OldWindows {
  readonly #source: ByteSource
  readonly #limits: typeof defaultLimits
  readonly #sampleBits: number
  #hashes: Int32Array | undefined
  #blocks = new Int32Array(0)
  #windows: Window[] = []
  #old: OldBytes | undefined

  constructor(source: ByteSource, limits = defaultLimits) {
    this.#source = source
    this.#limits = limits
    this.#sampleBits = Math.max(minSampleBits, Math.ceil(Math.log2((source.sizeBytes + 1) / maxSamples)))
  }

  /** Returns the old bytes for new ones, and the positions of these bytes in the source. */
  select(bytes: Uint8Array): { old: OldBytes; positionOf: (position: number) => number } {
    const windows = this.#source.sizeBytes <= this.#limits.maxWholeBytes ? this.#whole() : this.#choose(bytes)
    const isSame =
      windows.length === this.#windows.length &&
      windows.every(
        ({ start, sizeBytes }, index) =>
          this.#windows[index]?.start === start && this.#windows[index]?.sizeBytes === sizeBytes,
      )
    let old = this.#old
    if (old === undefined || !isSame) {
      // The previous bytes are released before the next ones are read.
      this.#old = undefined
      old = new OldBytes(this.#read(windows))
    }
    this.#old = old
    this.#windows = windows
    const positionOf = (position: number) => {
      const window = this.#windowAt(position)
      return window === undefined ? 0 : window.start + position - window.position
    }
    return { old, positionOf }
  }

  /** Splits a range where the bytes in memory come from different parts of the source. */
  *split(alignment: Alignment): Generator<Alignment> {
    let { newStart, oldStart, similarBytes } = alignment
    for (;;) {
      const window = this.#windowAt(oldStart)
      const left = window === undefined ? similarBytes : window.position + window.sizeBytes - oldStart
      if (left >= similarBytes) break
      yield { newStart, oldStart, similarBytes: left, extraBytes: 0 }
      newStart += left
      oldStart += left
      similarBytes -= left
    }
    yield { newStart, oldStart, similarBytes, extraBytes: alignment.extraBytes }
  }

  #windowAt(position: number): Window | undefined {
    let low = 0
    let high = this.#windows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#windows[middle]?.position ?? 0) <= position) low = middle + 1
      else high = middle
    }
    return this.#windows[low - 1]
  }

  #whole(): Window[] {
    return [{ start: 0, sizeBytes: this.#source.sizeBytes, position: 0 }]
  }

  #read(windows: readonly Window[]): Uint8Array {
    const bytes = new Uint8Array(windows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
    for (const { start, sizeBytes, position } of windows)
      this.#source.read(bytes.subarray(position, position + sizeBytes), start)
    return bytes
  }

  /** Chooses the blocks that share most samples with new bytes. */
  #choose(bytes: Uint8Array): Window[] {
    this.#hashes ??= this.#sampleSource()
    const hashes = this.#hashes
    const counts = new Map<number, number>()
    const shift = 32 - sampleTableBits
    sample(bytes, this.#sampleBits, (hash) => {
      const place = Math.imul(hash, 0x9e3779b1) >>> shift
      if (hashes[place] !== hash) return
      const block = this.#blocks[place] ?? 0
      counts.set(block, (counts.get(block) ?? 0) + 1)
    })
    // A match can continue in the blocks beside it.
    const found = Array.from(counts)
    for (const [block, count] of found)
      for (const beside of [block - 1, block + 1]) counts.set(beside, (counts.get(beside) ?? 0) + count / 16)
    const blockCount = Math.ceil(this.#source.sizeBytes / blockBytes)
    const chosen = [...counts]
      .filter(([block]) => block >= 0 && block < blockCount)
      .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, this.#limits.maxChosenBytes / blockBytes)
      .map(([block]) => block)
      .toSorted((a, b) => a - b)
    return this.#windowsOf(chosen.length > 0 ? chosen : [0])
  }

  #windowsOf(blocks: readonly number[]): Window[] {
    const windows: Window[] = []
    let position = 0
    for (const block of blocks) {
      const start = block * blockBytes
      const sizeBytes = Math.min(blockBytes, this.#source.sizeBytes - start)
      const last = windows.at(-1)
      if (last !== undefined && last.start + last.sizeBytes === start) last.sizeBytes += sizeBytes
      else windows.push({ start, sizeBytes, position })
      position += sizeBytes
    }
    return windows
  }

  #sampleSource(): Int32Array {
    const hashes = new Int32Array(2 ** sampleTableBits)
    this.#blocks = new Int32Array(2 ** sampleTableBits)
    const shift = 32 - sampleTableBits
    for (let start = 0; start < this.#source.sizeBytes; start += readBytes) {
      const end = Math.min(this.#source.sizeBytes, start + readBytes + sampleBytes - 1)
      sample(readRange(this.#source, start, end), this.#sampleBits, (hash, position) => {
        const place = Math.imul(hash, 0x9e3779b1) >>> shift
        hashes[place] = hash
        this.#blocks[place] = Math.floor((start + position) / blockBytes)
      })
    }
    return hashes
  }
}

/** Calls `onSample` for positions that the content selects, one of `2^bits` on average. */
function sample(bytes: Uint8Array, bits: number, onSample: (hash: number, position: number) => void): void {
  let hash = 0
  const shift = 32 - bits
  for (let end = 0; end < bytes.length; end++) {
    hash = (Math.imul(hash, multiplier) + (bytes[end] ?? 0)) | 0
    if (end >= sampleBytes) hash = (hash - Math.imul(bytes[end - sampleBytes] ?? 0, leaving)) | 0
    if (end >= sampleBytes - 1 && Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> shift === 0)
      onSample(hash, end - sampleBytes + 1)
  }
}
