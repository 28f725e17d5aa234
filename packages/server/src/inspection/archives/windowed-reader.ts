import { RandomAccessReader } from 'yauzl'
import type { ByteSource } from '../inspection.ts'

const windowBytes = 256 * 1024

/** Reads a file in large blocks, because yauzl reads each directory entry in two small parts. */
export class WindowedReader extends RandomAccessReader {
  /** The error of a failed read. yauzl does not distinguish it from a damaged archive. */
  sourceError: Error | undefined
  readonly #source: ByteSource
  #start = 0
  #window: Buffer = Buffer.alloc(0)

  constructor(source: ByteSource) {
    super()
    this.#source = source
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const copy = () => {
      this.#window.copy(buffer, offset, position - this.#start, position - this.#start + length)
      callback(null)
    }
    // A directory of a million entries takes two million reads, so those within the window are not deferred.
    if (this.#includes(position, length)) return copy()
    this.#load(position, length).then(copy, (error: unknown) =>
      callback(error instanceof Error ? error : new Error(String(error))),
    )
  }

  #includes(position: number, length: number): boolean {
    return position >= this.#start && position + length <= this.#start + this.#window.length
  }

  async #load(position: number, length: number): Promise<void> {
    const end = Math.min(position + Math.max(length, windowBytes), this.#source.sizeBytes)
    if (position + length > end) throw new Error('The archive is truncated.')
    try {
      this.#window = await this.#source.read(position, end - position)
    } catch (error) {
      this.sourceError = error instanceof Error ? error : new Error(String(error))
      throw error
    }
    this.#start = position
  }
}
