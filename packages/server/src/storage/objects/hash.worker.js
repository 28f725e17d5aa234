// This file is JavaScript because loading TypeScript in a worker thread uses 10 MB more memory (measured).
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

const hashes = new Map()

/**
 * Handles one request. Replies to `update` with an empty string once the bytes have been read, and to `digest` with the
 * hexadecimal digest. Replies are sent in the order of the requests; `abort` has no reply.
 * @param {import('./hash-thread.ts').HashRequest} request
 */
function handle(request) {
  const { kind, id } = request
  if (kind === 'abort') {
    hashes.delete(id)
    return
  }
  const hash = hashes.get(id) ?? createHash(request.algorithm)
  if (kind === 'digest') {
    hashes.delete(id)
    parentPort.postMessage(hash.digest('hex'))
    return
  }
  hashes.set(id, hash)
  hash.update(new Uint8Array(request.memory, 0, request.length))
  parentPort.postMessage('')
}

parentPort.on('message', handle)
