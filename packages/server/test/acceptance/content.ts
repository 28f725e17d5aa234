import { createCipheriv, createHash } from 'node:crypto'

const blockBytes = 16
const zeros = Buffer.alloc(1024 * 1024)

/** Returns a range of a seed's pseudorandom content without generating the bytes before it. */
export function content(seed: number, start: number, sizeBytes: number): Buffer<ArrayBuffer> {
  return Buffer.concat([...contentPieces(seed, start, sizeBytes)])
}

/** Yields the range in pieces of at most 1 MiB. `start` must be a multiple of 16. */
export function* contentPieces(
  seed: number,
  start: number,
  sizeBytes: number,
): Generator<Buffer<ArrayBuffer>> {
  const counter = Buffer.alloc(blockBytes)
  counter.writeBigUInt64BE(BigInt(start / blockBytes), 8)
  const key = createHash('sha256').update(`content ${seed}`).digest()
  const cipher = createCipheriv('aes-256-ctr', key, counter)
  for (let left = sizeBytes; left > 0; left -= zeros.length)
    yield cipher.update(zeros.subarray(0, Math.min(left, zeros.length)))
}

export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
