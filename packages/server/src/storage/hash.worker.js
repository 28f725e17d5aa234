// This file is JavaScript because a thread that strips types was measured to use 10 MB more.
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

const hashes = new Map()

/**
 * Replies in the order of the requests: the digest in hex, or '' once the bytes have been read. `abort` has no reply.
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
