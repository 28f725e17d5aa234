import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { hashThread, type Algorithm, type Request } from './hash-thread.ts'

/** A digest in progress. Call `update` in stream order; calls may overlap. */
export type Hashing = {
  /** Resolves when the bytes have been read. The memory must not change until then. */
  update(memory: SharedArrayBuffer, length: number): Promise<void>
  /** Returns the digest in hexadecimal. */
  digest(): Promise<string>
  /** Discards the hash. Call it if `digest` will not be called. */
  discard(): void
}

type PendingReply = { resolve: (text: string) => void; reject: (error: Error) => void }

// Starting the thread takes longer than hashing this much on the main thread.
const maxInlineBytes = 4 * 1024 * 1024

/** Computes digests on a worker thread, so that hashing overlaps with network and disk access. */
export class HashWorker {
  #worker: Worker | undefined
  #lastId = 0
  readonly #pending: PendingReply[] = []

  /** Starts hashing a stream of at most `sizeBytes`. Short streams are hashed on the main thread. */
  start(algorithm: Algorithm, sizeBytes: number): Hashing {
    if (sizeBytes <= maxInlineBytes) return hashInline(algorithm)
    const id = ++this.#lastId
    return {
      update: async (memory, length) => {
        await this.#send({ kind: 'update', id, algorithm, memory, length })
      },
      digest: () => this.#send({ kind: 'digest', id, algorithm }),
      discard: () => this.#worker?.postMessage({ kind: 'discard', id } satisfies Request),
    }
  }

  /** Stops the thread. Pending calls are rejected. */
  close(): void {
    void this.#worker?.terminate()
  }

  #send(request: Request): Promise<string> {
    this.#worker ??= this.#startThread()
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject })
      worker.postMessage(request)
    })
  }

  #startThread(): Worker {
    const worker = new Worker(hashThread.url, { workerData: hashThread.role })
    // The thread replies in the order of the requests.
    worker.on('message', (text: string) => this.#pending.shift()?.resolve(text))
    const fail = (error: Error): void => {
      if (this.#worker === worker) this.#worker = undefined
      for (const { reject } of this.#pending.splice(0)) reject(error)
    }
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('The hashing thread exited.')))
    return worker
  }
}

function hashInline(algorithm: Algorithm): Hashing {
  const hash = createHash(algorithm)
  return {
    async update(memory, length) {
      hash.update(new Uint8Array(memory, 0, length))
    },
    digest: async () => hash.digest('hex'),
    discard() {},
  }
}
