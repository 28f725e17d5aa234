import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

export type Algorithm = 'md5' | 'sha256'

export type HashRequest =
  | { kind: 'update'; hashing: number; algorithm: Algorithm; memory: SharedArrayBuffer; length: number }
  | { kind: 'digest'; hashing: number; algorithm: Algorithm }
  | { kind: 'forget'; hashing: number }

const running = new Map<number, Hash>()

/** Answers, in the order of the requests: the digest in hex, or '' once the bytes have been read; `forget` has none. */
function answer(request: HashRequest): string | undefined {
  const { kind, hashing } = request
  if (kind === 'forget') {
    running.delete(hashing)
    return undefined
  }
  const hash = running.get(hashing) ?? createHash(request.algorithm)
  if (kind === 'digest') {
    running.delete(hashing)
    return hash.digest('hex')
  }
  running.set(hashing, hash)
  hash.update(new Uint8Array(request.memory, 0, request.length))
  return ''
}

parentPort?.on('message', (request: HashRequest) => {
  const text = answer(request)
  if (text !== undefined) parentPort?.postMessage(text, [])
})
