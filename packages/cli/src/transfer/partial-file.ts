import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

export type Checksum = { algorithm: 'sha256' | 'md5'; hex: string }

const bufferBytes = 1024 * 1024

/** An incomplete download in the folder of its target. It is renamed to the target once it is complete. */
export class PartialFile {
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

  /** Opens the file. Bytes from an earlier run are discarded if there is no checksum to verify them. */
  static async open(path: string, checksum: Checksum | undefined, totalBytes: number): Promise<PartialFile> {
    const handle = await open(path, 'a+', 0o666)
    const file = new PartialFile(path, handle, checksum?.algorithm ?? 'sha256')
    const { size } = await handle.stat()
    if (checksum === undefined || size > totalBytes) await file.restart()
    else await file.#hashExisting(size)
    return file
  }

  async #hashExisting(size: number): Promise<void> {
    const buffer = Buffer.allocUnsafe(bufferBytes)
    while (this.sizeBytes < size) {
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, this.sizeBytes)
      if (bytesRead === 0) return
      this.#hash.update(buffer.subarray(0, bytesRead))
      this.sizeBytes += bytesRead
    }
  }

  /** Appends a stream in writes of 1 MiB or more, except the last. `onBytes` receives the size of each write. */
  async append(chunks: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): Promise<void> {
    let pending: Buffer[] = []
    let pendingBytes = 0
    const flush = async () => {
      if (pendingBytes === 0) return
      await this.#handle.writev(pending)
      for (const chunk of pending) this.#hash.update(chunk)
      this.sizeBytes += pendingBytes
      onBytes(pendingBytes)
      pending = []
      pendingBytes = 0
    }
    try {
      for await (const chunk of chunks) {
        pending.push(chunk)
        pendingBytes += chunk.length
        if (pendingBytes >= bufferBytes) await flush()
      }
    } finally {
      await flush()
    }
  }

  /** Discards all bytes. */
  async restart(): Promise<void> {
    await this.#handle.truncate(0)
    this.sizeBytes = 0
    this.#hash = createHash(this.#algorithm)
  }

  /** Returns the checksum of all bytes in the file: SHA-256, or MD5 if the server provided only that. */
  checksum(): Checksum {
    return { algorithm: this.#algorithm, hex: this.#hash.copy().digest('hex') }
  }

  /** Syncs the file to disk and renames it to the target. */
  async finish(target: string): Promise<void> {
    await this.#handle.sync()
    await this.#handle.close()
    await rename(this.path, target)
  }

  /** Closes the file but keeps it for a later run. */
  async close(): Promise<void> {
    await this.#handle.close()
  }

  async discard(): Promise<void> {
    await this.#handle.close()
    await rm(this.path, { force: true })
  }
}
