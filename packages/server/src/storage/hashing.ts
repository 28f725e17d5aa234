import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { HashAnswer, HashRequest } from './hash-worker.ts'

export type Digests = { md5: string; sha256: string }

/** MD5 and SHA-256 of a stream of bytes in one pass. Calls must come one after the other's bytes; they may overlap. */
export type Hashing = {
  /** Resolves when the bytes have been read: until then the memory must stay as it is. */
  update(memory: SharedArrayBuffer, length: number): Promise<void>
  digest(): Promise<Digests>
  /** Gives up; to be called when `digest` will not be. */
  forget(): void
}

export type HashPool = { start(): Hashing; close(): Promise<void> }

/** For bodies so small that a message to another thread costs more than hashing them here. */
export function hashHere(): Hashing {
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  return {
    async update(memory, length) {
      const bytes = new Uint8Array(memory, 0, length)
      md5.update(bytes)
      sha256.update(bytes)
    },
    digest: async () => ({ md5: md5.digest('hex'), sha256: sha256.digest('hex') }),
    forget() {},
  }
}

/** Hashes on up to `threads` threads, started when first needed; MD5 alone keeps a core busy at 900 MB/s. */
export function createHashPool({ threads }: { threads: number }): HashPool {
  const hashers = new Set<HashThread>()
  let lastHashing = 0

  const leastBusy = (): HashThread => {
    let [best] = hashers
    for (const thread of hashers) if (best === undefined || thread.load() < best.load()) best = thread
    if (best !== undefined && (best.load() === 0 || hashers.size >= threads)) return best
    const thread = startHashThread(() => hashers.delete(thread))
    hashers.add(thread)
    return thread
  }

  return {
    start() {
      const hashing = ++lastHashing
      const thread = leastBusy()
      thread.begin(hashing)
      return {
        async update(memory, length) {
          await thread.ask({ kind: 'update', hashing, memory, length })
        },
        async digest() {
          const { digests } = await thread.ask({ kind: 'digest', hashing })
          thread.end(hashing)
          if (digests === undefined) throw new Error('the hashing thread answered out of order')
          return digests
        },
        forget() {
          thread.end(hashing)
          thread.tell({ kind: 'forget', hashing })
        },
      }
    },
    async close() {
      await Promise.all([...hashers].map((thread) => thread.stop()))
    },
  }
}

type HashThread = ReturnType<typeof startHashThread>

function startHashThread(onExit: () => void) {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 },
  })
  const current = new Set<number>()
  const waiting: { resolve: (answer: HashAnswer) => void; reject: (error: Error) => void }[] = []
  let gone: Error | undefined

  worker.on('message', (answer: HashAnswer) => {
    waiting.shift()?.resolve(answer)
    if (waiting.length === 0) worker.unref()
  })
  const fail = (error: Error): void => {
    gone ??= error
    for (const { reject } of waiting.splice(0)) reject(error)
    onExit()
  }
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`the hashing thread ended with ${code}`)))
  worker.unref()

  return {
    load: () => current.size,
    begin: (hashing: number) => void current.add(hashing),
    end: (hashing: number) => void current.delete(hashing),
    ask(request: HashRequest): Promise<HashAnswer> {
      if (gone !== undefined) return Promise.reject(gone)
      // Only work that somebody waits for may keep the process alive.
      worker.ref()
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        worker.postMessage(request, [])
      })
    },
    tell: (request: HashRequest) => worker.postMessage(request, []),
    stop: () => worker.terminate(),
  }
}
