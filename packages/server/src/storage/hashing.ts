import { createHash } from 'node:crypto'
import { startHashThread, type Algorithm, type HashThread, type ThreadedHash } from './hash-thread.ts'

export type Digests = { md5: string; sha256: string }

/** MD5 and SHA-256 of a stream of bytes in one pass. Calls must come one after the other's bytes; they may overlap. */
export type Hashing = {
  /** Resolves when the bytes have been read: until then the memory must stay as it is. */
  update(memory: SharedArrayBuffer, length: number): Promise<void>
  digest(): Promise<Digests>
  /** Gives up; to be called when `digest` will not be. */
  forget(): void
}

export type HashPool = {
  /** For so many bytes in all: a few are hashed here, since a message to another thread costs more. */
  start(sizeBytes: number): Hashing
  close(): Promise<void>
}

const hashHereBytes = 256 * 1024

function hashHere(): Hashing {
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  return {
    async update(memory, length) {
      const bytes = new Uint8Array(memory, 0, length)
      md5.update(bytes)
      sha256.update(bytes)
    },
    digest: async () => ({ md5: md5.digest('hex'), sha256: sha256.digest('hex') }),
    forget() {},
  }
}

/**
 * Hashes on other threads, up to `threadsPerDigest` for MD5 and as many for SHA-256, started when first needed. Measured:
 * MD5 keeps a core busy at 900 MB/s, so that one thread for both would be slower than the network and the disk.
 */
export function createHashPool({ threadsPerDigest }: { threadsPerDigest: number }): HashPool {
  const threads: Record<Algorithm, Set<HashThread>> = { md5: new Set(), sha256: new Set() }

  const startOn = (algorithm: Algorithm): ThreadedHash => {
    const pool = threads[algorithm]
    const idlest = [...pool].reduce<HashThread | undefined>(
      (best, thread) => (best === undefined || thread.load() < best.load() ? thread : best),
      undefined,
    )
    if (idlest !== undefined && (idlest.load() === 0 || pool.size >= threadsPerDigest))
      return idlest.start(algorithm)
    const thread = startHashThread(() => pool.delete(thread))
    pool.add(thread)
    return thread.start(algorithm)
  }

  return {
    start(sizeBytes) {
      if (sizeBytes <= hashHereBytes) return hashHere()
      const both = [startOn('md5'), startOn('sha256')] as const
      return {
        async update(memory, length) {
          await Promise.all(both.map((hash) => hash.update(memory, length)))
        },
        async digest() {
          const [md5, sha256] = await Promise.all([both[0].digest(), both[1].digest()])
          return { md5, sha256 }
        },
        forget() {
          for (const hash of both) hash.forget()
        },
      }
    },
    async close() {
      await Promise.all([...threads.md5, ...threads.sha256].map((thread) => thread.stop()))
    },
  }
}
