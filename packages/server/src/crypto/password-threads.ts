import type { Argon2Parameters } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { problem } from '../lib/problem.ts'

type Parameters = Omit<Argon2Parameters, 'message' | 'nonce'> & { message: string; nonce: Uint8Array }

/** Computes Argon2id tags on dedicated threads. */
export type PasswordThreads = {
  /** Throws the `password.busy` Problem (503) if too many calls are already waiting for a thread. */
  requireRoom(): void
  /** Returns the tag. Throws the same error as `requireRoom`. */
  derive(parameters: Parameters): Promise<Buffer>
  close(): Promise<void>
}

type Task = { parameters: Parameters; resolve: (tag: Buffer) => void; reject: (error: Error) => void }

/**
 * Creates a pool of up to `threads` threads, which are started on first use. At most `maxWaiting` calls wait for a
 * thread, in first-in, first-out order.
 */
export function createPasswordThreads(limits: { threads: number; maxWaiting: number }): PasswordThreads {
  const workers = new Map<Worker, Task | undefined>()
  const waiting: Task[] = []

  function finish(worker: Worker, tag: Uint8Array): void {
    const task = workers.get(worker)
    workers.set(worker, undefined)
    worker.unref()
    task?.resolve(Buffer.from(tag))
    runNext()
  }

  function fail(worker: Worker, error: Error): void {
    const task = workers.get(worker)
    workers.delete(worker)
    task?.reject(error)
    runNext()
  }

  function findIdleWorker(): Worker | undefined {
    for (const [worker, task] of workers) if (task === undefined) return worker
    if (workers.size >= limits.threads) return undefined
    const worker = startWorker({ onTag: finish, onEnd: fail })
    workers.set(worker, undefined)
    return worker
  }

  function runNext(): void {
    if (waiting.length === 0) return
    const worker = findIdleWorker()
    const task = worker === undefined ? undefined : waiting.shift()
    if (worker === undefined || task === undefined) return
    workers.set(worker, task)
    // A thread keeps the process alive only while it is working.
    worker.ref()
    worker.postMessage(task.parameters, [])
  }

  const requireRoom = (): void => {
    if (waiting.length >= limits.maxWaiting) throw passwordsBusy()
  }

  return {
    requireRoom,
    async derive(parameters) {
      requireRoom()
      return new Promise((resolve, reject) => {
        waiting.push({ parameters, resolve, reject })
        runNext()
      })
    },
    async close() {
      for (const { reject } of waiting.splice(0)) reject(passwordsBusy())
      await Promise.all([...workers.keys()].map((worker) => worker.terminate()))
    },
  }
}

type WorkerEvents = {
  onTag: (worker: Worker, tag: Uint8Array) => void
  onEnd: (worker: Worker, error: Error) => void
}

function startWorker({ onTag, onEnd }: WorkerEvents): Worker {
  const worker = new Worker(new URL('./password.worker.js', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 },
  })
  worker.on('message', (tag: Uint8Array) => onTag(worker, tag))
  worker.on('error', (error: Error) => onEnd(worker, error))
  worker.on('exit', (code) => onEnd(worker, new Error(`the password thread exited with code ${code}`)))
  worker.unref()
  return worker
}

export const passwordsBusy = problem(
  'unavailable',
  'password.busy',
  'The server is processing too many passwords at the moment. Try again shortly.',
  { retryAfterSeconds: 1 },
)
