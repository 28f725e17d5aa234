import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'

// This module imports only built-in modules, because a bundle contains it as a data URL.

export type Algorithm = 'md5' | 'sha256'

/** What the thread does. It replies to `update` and `digest`, in the order of the requests. */
export type Request =
  | { kind: 'update'; id: number; algorithm: Algorithm; memory: SharedArrayBuffer; length: number }
  | { kind: 'digest'; id: number; algorithm: Algorithm }
  | { kind: 'discard'; id: number }

/** The program of the thread, and the data with which it must be started. */
export const hashThread = { url: new URL(import.meta.url), role: 'quayside-hash-thread' }

function handleRequests(): void {
  const hashes = new Map<number, Hash>()
  parentPort?.on('message', (request: Request) => {
    if (request.kind === 'discard') {
      hashes.delete(request.id)
      return
    }
    const hash = hashes.get(request.id) ?? createHash(request.algorithm)
    if (request.kind === 'digest') {
      hashes.delete(request.id)
      parentPort?.postMessage(hash.digest('hex'))
      return
    }
    hashes.set(request.id, hash)
    hash.update(new Uint8Array(request.memory, 0, request.length))
    parentPort?.postMessage('')
  })
}

if (!isMainThread && workerData === hashThread.role) handleRequests()
