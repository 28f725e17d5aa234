import { Worker } from 'node:worker_threads'

export type Algorithm = 'md5' | 'sha256'

/** What the thread is told; its answers are texts in the order of the requests. */
export type HashRequest =
  | { kind: 'update'; hashing: number; algorithm: Algorithm; memory: SharedArrayBuffer; length: number }
  | { kind: 'digest'; hashing: number; algorithm: Algorithm }
  | { kind: 'forget'; hashing: number }

/** One digest being computed on another thread. */
export type ThreadedHash = {
  update: (memory: SharedArrayBuffer, length: number) => Promise<void>
  digest: () => Promise<string>
  forget: () => void
}

export type HashThread = {
  /** Digests being computed here. */
  load: () => number
  start: (algorithm: Algorithm) => ThreadedHash
  stop: () => Promise<unknown>
}

type Waiting = { resolve: (text: string) => void; reject: (error: Error) => void }

/** Starts a thread that hashes; `onExit` is called when it is gone, and whoever waits for it gets the error. */
export function startHashThread(onExit: () => void): HashThread {
  const worker = new Worker(new URL('./hash.worker.js', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
  })
  const current = new Set<number>()
  const waiting: Waiting[] = []
  let started = 0
  let gone: Error | undefined

  worker.on('message', (text: string) => {
    waiting.shift()?.resolve(text)
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

  const ask = (request: HashRequest): Promise<string> => {
    if (gone !== undefined) return Promise.reject(gone)
    // Only work that somebody waits for may keep the process alive.
    worker.ref()
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      worker.postMessage(request, [])
    })
  }

  return {
    load: () => current.size,
    start(algorithm) {
      const hashing = ++started
      current.add(hashing)
      return {
        async update(memory, length) {
          await ask({ kind: 'update', hashing, algorithm, memory, length })
        },
        digest() {
          current.delete(hashing)
          return ask({ kind: 'digest', hashing, algorithm })
        },
        forget() {
          current.delete(hashing)
          worker.postMessage({ kind: 'forget', hashing } satisfies HashRequest, [])
        },
      }
    },
    stop: () => worker.terminate(),
  }
}
