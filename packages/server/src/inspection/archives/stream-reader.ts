/** A file in a stream. `read` and `stream` return its next bytes, and must be used before the next file is requested. */
export type StreamedFile = {
  name: string
  sizeBytes: number
  /** Returns the next bytes, or fewer at the end of the file or of the stream. */
  read(maxBytes: number): Promise<Buffer>
  /** Yields the rest of the file in chunks. */
  stream(): AsyncIterable<Buffer>
}

/** Reads a stream in parts of any length. */
export class StreamReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** Returns the next bytes, or fewer at the end of the stream. */
  async take(length: number): Promise<Buffer> {
    if (length > 0 && !(await this.#fill())) return Buffer.alloc(0)
    if (length <= this.#rest.length) return this.#takeAvailable(length)
    // Joining the chunks at the end would take twice the memory.
    const bytes = Buffer.alloc(length)
    let position = 0
    while (position < length && (await this.#fill()))
      position += this.#takeAvailable(length - position).copy(bytes, position)
    return bytes.subarray(0, position)
  }

  /** Returns some of the next bytes, or none at the end of the stream. */
  async takeChunk(maxBytes: number): Promise<Buffer> {
    return (await this.#fill()) ? this.#takeAvailable(maxBytes) : Buffer.alloc(0)
  }

  /** Skips bytes. Returns false at the end of the stream. */
  async skip(length: number): Promise<boolean> {
    for (let missing = length; missing > 0;) {
      if (!(await this.#fill())) return false
      missing -= this.#takeAvailable(missing).length
    }
    return true
  }

  /** Returns the next file, and a function that skips what has not been read of it and its padding. */
  file(name: string, sizeBytes: number, paddedBytes: number) {
    let remainingBytes = sizeBytes
    const file: StreamedFile = {
      name,
      sizeBytes,
      read: async (maxBytes) => {
        const length = Math.min(maxBytes, remainingBytes)
        remainingBytes -= length
        return this.take(length)
      },
      stream: () => chunks(),
    }
    const chunks = async function* (this: StreamReader): AsyncGenerator<Buffer, void, undefined> {
      while (remainingBytes > 0) {
        const chunk = await this.takeChunk(remainingBytes)
        if (chunk.length === 0) return
        remainingBytes -= chunk.length
        yield chunk
      }
    }.bind(this)
    return { file, skip: () => this.skip(remainingBytes + paddedBytes - sizeBytes) }
  }

  /** Ends the stream. The decoder of XZ data only decodes one stream at a time, so it waits for an earlier one to end. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return?.()
  }

  #takeAvailable(maxBytes: number): Buffer {
    const bytes = this.#rest.subarray(0, maxBytes)
    this.#rest = this.#rest.subarray(bytes.length)
    return bytes
  }

  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next()
      if (next.done === true) return false
      this.#rest = next.value
    }
    return true
  }
}
