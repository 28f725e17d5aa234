import { createHash } from 'node:crypto'
import { Failure } from '../failure.ts'
import type { Streams } from '../output/output.ts'
import type { Algorithm } from './hash-thread.ts'
import type { Checksum } from './partial-file.ts'

/** Standard output as the target of a download. A run can continue after a broken connection, but a later run cannot. */
export class OutputTarget {
  sizeBytes = 0
  readonly #stdout: Streams['stdout']
  readonly #algorithm: Algorithm
  readonly #hash: ReturnType<typeof createHash>

  constructor(stdout: Streams['stdout'], algorithm: Algorithm) {
    this.#stdout = stdout
    this.#algorithm = algorithm
    this.#hash = createHash(algorithm)
  }

  async append(chunks: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): Promise<void> {
    for await (const chunk of chunks) {
      // The memory of a chunk is reused, so the next one is requested only after this one has been written.
      await new Promise<void>((resolve, reject) => {
        this.#stdout.write(chunk, (error) => (error ? reject(error) : resolve()))
      })
      this.#hash.update(chunk)
      this.sizeBytes += chunk.length
      onBytes(chunk.length)
    }
  }

  /** Throws, because bytes that have been written cannot be discarded. */
  restart(): Promise<void> {
    return Promise.reject(
      new Failure('failed', 'The server cannot resume the interrupted download. Rerun the command.'),
    )
  }

  /** Returns the checksum of all written bytes. Nothing may be appended afterward. */
  checksum(): Checksum {
    return { algorithm: this.#algorithm, hex: this.#hash.digest('hex') }
  }
}
