import { createHash } from 'node:crypto'
import { startHashThread, type Algorithm, type HashThread, type ThreadedHash } from './hash-thread.ts'

export type Digests = { md5: string; sha256: string }

/** Computes the MD5 and SHA-256 of a stream in one pass. `update` must be called in stream order; calls may overlap. */
export type Hashing = {
  /** Resolves when the bytes have been read. The caller must not change the memory until then. */
  update(memory: SharedArrayBuffer, length: number): Promise<void>
  digest(): Promise<Digests>
  /** Discards the hash. Must be called if `digest` will not be called. */
  abort(): void
}

export type Sha256 = Pick<Hashing, 'update' | 'abort'> & { digest(): Promise<string> }

export type HashPool = {
  /**
   * Starts hashing a stream of `sizeBytes` bytes. Short streams are hashed on this thread, because sending messages to
   * another thread would take longer.
   */
  start(sizeBytes: number): Hashing
  /** Starts hashing a stream with SHA-256 only. */
  startSha256(sizeBytes: number): Sha256
  close(): Promise<void>
}

const maxInlineBytes = 256 * 1024

function hashInline(): Hashing {
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  return {
    async update(memory, length) {
      const bytes = new Uint8Array(memory, 0, length)
      md5.update(bytes)
      sha256.update(bytes)
    },
    digest: async () => ({ md5: md5.digest('hex'), sha256: sha256.digest('hex') }),
    abort() {},
  }
}

/**
 * Creates a pool of up to `threadsPerDigest` threads for MD5 and the same number for SHA-256. Threads are started on
 * first use. MD5 saturates a core at about 900 MB/s (measured), so one thread for both digests would be slower than the
 * network and the disk.
 */
export function createHashPool({ threadsPerDigest }: { threadsPerDigest: number }): HashPool {
  const threads: Record<Algorithm, Set<HashThread>> = { md5: new Set(), sha256: new Set() }

  const startOn = (algorithm: Algorithm): ThreadedHash => {
    const pool = threads[algorithm]
    const leastLoaded = [...pool].reduce<HashThread | undefined>(
      (best, thread) => (best === undefined || thread.load() < best.load() ? thread : best),
      undefined,
    )
    if (leastLoaded !== undefined && (leastLoaded.load() === 0 || pool.size >= threadsPerDigest))
      return leastLoaded.start(algorithm)
    const thread = startHashThread(() => pool.delete(thread))
    pool.add(thread)
    return thread.start(algorithm)
  }

  return {
    start(sizeBytes) {
      if (sizeBytes <= maxInlineBytes) return hashInline()
      const both = [startOn('md5'), startOn('sha256')] as const
      return {
        async update(memory, length) {
          await Promise.all(both.map((hash) => hash.update(memory, length)))
        },
        async digest() {
          const [md5, sha256] = await Promise.all([both[0].digest(), both[1].digest()])
          return { md5, sha256 }
        },
        abort() {
          for (const hash of both) hash.abort()
        },
      }
    },
    startSha256(sizeBytes) {
      if (sizeBytes > maxInlineBytes) return startOn('sha256')
      const hash = createHash('sha256')
      return {
        update: async (memory, length) => void hash.update(new Uint8Array(memory, 0, length)),
        digest: async () => hash.digest('hex'),
        abort() {},
      }
    },
    async close() {
      await Promise.all([...threads.md5, ...threads.sha256].map((thread) => thread.stop()))
    },
  }
}
