import { Worker } from 'node:worker_threads'

export type Algorithm = 'md5' | 'sha256' | 'sha1' | 'sha512'

/** A message to the hashing thread. Replies are strings and arrive in the order of the requests. */
export type HashRequest =
  | { kind: 'update'; id: number; algorithm: Algorithm; memory: SharedArrayBuffer; length: number }
  | { kind: 'digest'; id: number; algorithm: Algorithm }
  | { kind: 'abort'; id: number }

/** A digest that is being computed on another thread. */
export type ThreadedHash = {
  update: (memory: SharedArrayBuffer, length: number) => Promise<void>
  digest: () => Promise<string>
  abort: () => void
}

export type HashThread = {
  /** Returns the number of digests in progress on this thread. */
  load: () => number
  start: (algorithm: Algorithm) => ThreadedHash
  stop: () => Promise<unknown>
}

type PendingReply = { resolve: (text: string) => void; reject: (error: Error) => void }

/** Starts a hashing thread. When the thread exits, pending requests are rejected and `onExit` is called. */
export function startHashThread(onExit: () => void): HashThread {
  const worker = new Worker(new URL('./hash.worker.js', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 },
  })
  const active = new Set<number>()
  const pending: PendingReply[] = []
  let lastId = 0
  let failure: Error | undefined

  worker.on('message', (text: string) => {
    pending.shift()?.resolve(text)
    if (pending.length === 0) worker.unref()
  })
  const fail = (error: Error): void => {
    failure ??= error
    for (const { reject } of pending.splice(0)) reject(error)
    onExit()
  }
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`the hashing thread exited with code ${code}`)))
  worker.unref()

  const send = (request: HashRequest): Promise<string> => {
    if (failure !== undefined) return Promise.reject(failure)
    // The hashing thread keeps the process alive only while a reply is pending.
    worker.ref()
    return new Promise((resolve, reject) => {
      pending.push({ resolve, reject })
      worker.postMessage(request, [])
    })
  }

  return {
    load: () => active.size,
    start(algorithm) {
      const id = ++lastId
      active.add(id)
      return {
        async update(memory, length) {
          await send({ kind: 'update', id, algorithm, memory, length })
        },
        digest() {
          active.delete(id)
          return send({ kind: 'digest', id, algorithm })
        },
        abort() {
          active.delete(id)
          worker.postMessage({ kind: 'abort', id } satisfies HashRequest, [])
        },
      }
    },
    stop: () => worker.terminate(),
  }
}
