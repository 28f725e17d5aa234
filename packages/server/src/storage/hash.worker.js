// JavaScript and not TypeScript: measured, a thread that has to strip types holds 10 MB more.
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

const running = new Map()

/**
 * Answers, in the order of the requests: the digest in hex, or '' once the bytes have been read; `forget` has none.
 * @param {import('./hash-thread.ts').HashRequest} request
 */
function serve(request) {
  const { kind, hashing } = request
  if (kind === 'forget') {
    running.delete(hashing)
    return
  }
  const hash = running.get(hashing) ?? createHash(request.algorithm)
  if (kind === 'digest') {
    running.delete(hashing)
    parentPort.postMessage(hash.digest('hex'))
    return
  }
  running.set(hashing, hash)
  hash.update(new Uint8Array(request.memory, 0, request.length))
  parentPort.postMessage('')
}

parentPort.on('message', serve)
