import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

export type Checksum = { algorithm: 'sha256' | 'md5'; hex: string }

const slabBytes = 1024 * 1024

/** A file on its way in: written beside its target, renamed to it only when it is whole. */
export class PartFile {
  readonly path: string
  sizeBytes = 0
  readonly #handle: FileHandle
  readonly #algorithm: Checksum['algorithm']
  #hash: Hash

  private constructor(path: string, handle: FileHandle, algorithm: Checksum['algorithm']) {
    this.path = path
    this.#handle = handle
    this.#algorithm = algorithm
    this.#hash = createHash(algorithm)
  }

  /** Opens what an earlier run left, or nothing; without a checksum its bytes cannot be trusted. */
  static async open(path: string, checksum: Checksum | undefined, totalBytes: number): Promise<PartFile> {
    const handle = await open(path, 'a+', 0o666)
    const part = new PartFile(path, handle, checksum?.algorithm ?? 'sha256')
    const { size } = await handle.stat()
    if (checksum === undefined || size > totalBytes) await part.restart()
    else await part.#readAgain(size)
    return part
  }

  async #readAgain(size: number): Promise<void> {
    const slab = Buffer.allocUnsafe(slabBytes)
    while (this.sizeBytes < size) {
      const { bytesRead } = await this.#handle.read(slab, 0, slab.length, this.sizeBytes)
      if (bytesRead === 0) return
      this.#hash.update(slab.subarray(0, bytesRead))
      this.sizeBytes += bytesRead
    }
  }

  /** Adds all bytes of a stream, a MiB at a time; `onBytes` tells how many are on their way to the disk. */
  async append(chunks: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): Promise<void> {
    let waiting: Buffer[] = []
    let waitingBytes = 0
    const flush = async () => {
      if (waitingBytes === 0) return
      await this.#handle.writev(waiting)
      for (const chunk of waiting) this.#hash.update(chunk)
      this.sizeBytes += waitingBytes
      onBytes(waitingBytes)
      waiting = []
      waitingBytes = 0
    }
    try {
      for await (const chunk of chunks) {
        waiting.push(chunk)
        waitingBytes += chunk.length
        if (waitingBytes >= slabBytes) await flush()
      }
    } finally {
      await flush()
    }
  }

  /** Forgets everything written so far. */
  async restart(): Promise<void> {
    await this.#handle.truncate(0)
    this.sizeBytes = 0
    this.#hash = createHash(this.#algorithm)
  }

  /** The checksum of the bytes so far: SHA-256, or MD5 where the server knew only that. */
  checksum(): Checksum {
    return { algorithm: this.#algorithm, hex: this.#hash.copy().digest('hex') }
  }

  /** Makes the file durable and gives it its name in one step. */
  async finish(target: string): Promise<void> {
    await this.#handle.sync()
    await this.#handle.close()
    await rename(this.path, target)
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }

  async discard(): Promise<void> {
    await this.#handle.close()
    await rm(this.path, { force: true })
  }
}
