/** Thrown if a patch cannot be applied, so that the file has to be transferred in another way. */
export class InvalidPatch extends Error {}

/** Collects bytes and numbers. */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  length = 0

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.length++] = value
  }

  /** Adds a number in groups of seven bits, the lowest first. */
  number(value: number): void {
    let rest = value
    while (rest >= 128) {
      this.byte((rest % 128) | 128)
      rest = Math.floor(rest / 128)
    }
    this.byte(rest)
  }

  bytes(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#bytes.length) this.#grow(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Adds bytes after their number. */
  block(bytes: Uint8Array): void {
    this.number(bytes.length)
    this.bytes(bytes)
  }

  /** Returns the bytes without copying them. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  #grow(count: number): void {
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + count))
    grown.set(this.view())
    this.#bytes = grown
  }
}

/** Reads what `ByteWriter` wrote. Throws `InvalidPatch` where bytes are missing. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get leftBytes(): number {
    return this.#bytes.length - this.#position
  }

  byte(): number {
    const value = this.#bytes[this.#position++]
    if (value === undefined) throw new InvalidPatch('The patch is incomplete.')
    return value
  }

  /** Returns a number that is at most `max`. */
  number(max = Number.MAX_SAFE_INTEGER): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte()
      value += (byte & 127) * factor
      if (value > max) throw new InvalidPatch('The patch has a number that is too large.')
      if (byte < 128) return value
      if (factor > 2 ** 48) throw new InvalidPatch('The patch has a number that is too long.')
    }
  }

  bytes(count: number): Uint8Array {
    if (count > this.leftBytes) throw new InvalidPatch('The patch is incomplete.')
    this.#position += count
    return this.#bytes.subarray(this.#position - count, this.#position)
  }

  block(): Uint8Array {
    return this.bytes(this.number())
  }
}
