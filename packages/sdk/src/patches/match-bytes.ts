/** A range of new bytes that resembles a range of old ones, and the new bytes after it that resemble none. */
export type Alignment = { newStart: number; oldStart: number; similarBytes: number; extraBytes: number }

/** Equal bytes that are needed to find a place in the old bytes, and how far apart the places are that can be found. */
const anchorBytes = 12
const indexStep = 3
const maxIndexBits = 24
/** A place is used if it has more equal bytes than the place after the previous one, as in bsdiff. */
const minGain = 8
/** Equal bytes that are counted before a place is used, so that long equal ranges are not compared again and again. */
const maxCounted = 4096
const multiplier = 0x2c9277b5
const leaving = (() => {
  let factor = 1
  for (let index = 0; index < anchorBytes; index++) factor = Math.imul(factor, multiplier)
  return factor
})()

/** An index of old bytes, in which the places of new bytes are found. */
export class OldBytes {
  readonly bytes: Uint8Array
  readonly #places: Int32Array
  readonly #shift: number

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    const bits = Math.min(maxIndexBits, Math.max(8, Math.ceil(Math.log2(bytes.length / indexStep + 1)) + 1))
    this.#shift = 32 - bits
    this.#places = new Int32Array(2 ** bits)
    this.#index()
  }

  #index(): void {
    const { bytes } = this
    const places = this.#places
    let hash = hashAt(bytes, 0)
    for (let position = 0, next = 0; position + anchorBytes <= bytes.length; position++) {
      if (position === next) {
        places[Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> this.#shift] = position + 1
        next += indexStep
      }
      hash = roll(hash, bytes, position)
    }
  }

  /** Returns the place of bytes with this hash, or -1. Other bytes can have the same hash. */
  find(hash: number): number {
    return (this.#places[Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> this.#shift] ?? 0) - 1
  }
}

function hashAt(bytes: Uint8Array, position: number): number {
  let hash = 0
  for (let index = position; index < position + anchorBytes; index++)
    hash = (Math.imul(hash, multiplier) + (bytes[index] ?? 0)) | 0
  return hash
}

/** Returns the hash of the bytes that start one position later. */
const roll = (hash: number, bytes: Uint8Array, position: number): number =>
  (Math.imul(hash, multiplier) +
    (bytes[position + anchorBytes] ?? 0) -
    Math.imul(bytes[position] ?? 0, leaving)) |
  0

/** Aligns new bytes with old ones: each range of them follows the previous one. */
export function alignBytes(old: OldBytes, bytes: Uint8Array): Alignment[] {
  const alignments: Alignment[] = []
  let current: Alignment = { newStart: 0, oldStart: 0, similarBytes: 0, extraBytes: 0 }
  // Before the first place, bytes are compared with those at the same position.
  for (const place of findPlaces(old, bytes, () => current)) {
    const forward = extendForward(old.bytes, bytes, current, place.newStart)
    const backward = extendBackward(old.bytes, bytes, place, current.newStart)
    const overlap = current.newStart + forward - (place.newStart - backward)
    const kept =
      overlap > 0
        ? forward - overlap + splitOverlap(old.bytes, bytes, { current, forward, place, overlap })
        : forward
    const start = overlap > 0 ? current.newStart + kept : place.newStart - backward
    current.similarBytes = kept
    current.extraBytes = start - current.newStart - kept
    alignments.push(current)
    current = {
      newStart: start,
      oldStart: place.oldStart - (place.newStart - start),
      similarBytes: 0,
      extraBytes: 0,
    }
  }
  current.similarBytes = extendForward(old.bytes, bytes, current, bytes.length)
  current.extraBytes = bytes.length - current.newStart - current.similarBytes
  alignments.push(current)
  return alignments
}

type Place = { newStart: number; oldStart: number }

/** Yields places at which new bytes equal old ones, and that are better than the current alignment. */
function* findPlaces(old: OldBytes, bytes: Uint8Array, current: () => Place): Generator<Place> {
  const { bytes: oldBytes } = old
  const lastAnchor = bytes.length - anchorBytes
  let position = 0
  let hash = hashAt(bytes, 0)
  let shift = current().oldStart - current().newStart
  while (position <= lastAnchor) {
    const equal = equalBytes(oldBytes, position + shift, bytes, position)
    if (equal >= 2 * anchorBytes) {
      position += equal
      hash = hashAt(bytes, position)
      continue
    }
    const found = old.find(hash)
    if (found >= 0 && found !== position + shift) {
      const length = equalBytes(oldBytes, found, bytes, position, maxCounted)
      if (
        length >= anchorBytes &&
        length > countEqual(oldBytes, position + shift, bytes, position, length) + minGain
      ) {
        yield { newStart: position, oldStart: found }
        shift = found - position
        position += length
        hash = hashAt(bytes, position)
        continue
      }
    }
    hash = roll(hash, bytes, position)
    position++
  }
}

function equalBytes(
  old: Uint8Array,
  oldStart: number,
  bytes: Uint8Array,
  start: number,
  limit = Infinity,
): number {
  if (oldStart < 0) return 0
  const max = Math.min(limit, old.length - oldStart, bytes.length - start)
  let length = 0
  while (length < max && old[oldStart + length] === bytes[start + length]) length++
  return length
}

function countEqual(
  old: Uint8Array,
  oldStart: number,
  bytes: Uint8Array,
  start: number,
  length: number,
): number {
  let count = 0
  for (let index = 0; index < length; index++) if (old[oldStart + index] === bytes[start + index]) count++
  return count
}

/** Returns how many bytes from the start of an alignment are more often equal than not. */
function extendForward(
  old: Uint8Array,
  bytes: Uint8Array,
  { newStart, oldStart }: Place,
  end: number,
): number {
  const max = Math.min(end - newStart, old.length - oldStart)
  let score = 0
  let best = 0
  let length = 0
  for (let index = 0; index < max; index++) {
    score += old[oldStart + index] === bytes[newStart + index] ? 1 : -1
    if (score > best) {
      best = score
      length = index + 1
    } else if (score < best - 4096) break
  }
  return length
}

/** Returns how many bytes before a place are more often equal than not. */
function extendBackward(
  old: Uint8Array,
  bytes: Uint8Array,
  { newStart, oldStart }: Place,
  start: number,
): number {
  const max = Math.min(newStart - start, oldStart)
  let score = 0
  let best = 0
  let length = 0
  for (let index = 1; index <= max; index++) {
    score += old[oldStart - index] === bytes[newStart - index] ? 1 : -1
    if (score > best) {
      best = score
      length = index
    } else if (score < best - 4096) break
  }
  return length
}

/** Returns how many of the bytes that two alignments cover should belong to the first one. */
function splitOverlap(
  old: Uint8Array,
  bytes: Uint8Array,
  { current, forward, place, overlap }: { current: Place; forward: number; place: Place; overlap: number },
): number {
  const start = current.newStart + forward - overlap
  const firstOld = current.oldStart + forward - overlap
  const secondOld = place.oldStart - (place.newStart - start)
  let score = 0
  let best = 0
  let length = 0
  for (let index = 0; index < overlap; index++) {
    if (old[firstOld + index] === bytes[start + index]) score++
    if (old[secondOld + index] === bytes[start + index]) score--
    if (score > best) {
      best = score
      length = index + 1
    }
  }
  return length
}
