import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

export type HashRequest =
  | { kind: 'update'; hashing: number; memory: SharedArrayBuffer; length: number }
  | { kind: 'digest'; hashing: number }
  | { kind: 'forget'; hashing: number }

/** Answers come in the order of the requests; `forget` has none. */
export type HashAnswer = { hashing: number; digests?: { md5: string; sha256: string } }

const running = new Map<number, { md5: Hash; sha256: Hash }>()

function answer(request: HashRequest): HashAnswer | undefined {
  const { hashing } = request
  if (request.kind === 'forget') {
    running.delete(hashing)
    return undefined
  }
  const hashes = running.get(hashing) ?? { md5: createHash('md5'), sha256: createHash('sha256') }
  if (request.kind === 'digest') {
    running.delete(hashing)
    return { hashing, digests: { md5: hashes.md5.digest('hex'), sha256: hashes.sha256.digest('hex') } }
  }
  running.set(hashing, hashes)
  const bytes = new Uint8Array(request.memory, 0, request.length)
  hashes.md5.update(bytes)
  hashes.sha256.update(bytes)
  return { hashing }
}

parentPort?.on('message', (request: HashRequest) => {
  const message = answer(request)
  if (message !== undefined) parentPort?.postMessage(message, [])
})
