import { createHash } from 'node:crypto'
import { startHashThread, type Algorithm, type HashThread, type ThreadedHash } from './hash-thread.ts'

/** The checksums that are computed while a file is received. */
export type Digests = { md5: string; sha256: string }
/** The checksums that are computed when a stored file is read. */
export type AllDigests = Digests & { sha1: string; sha512: string }

/** The checksums of the bytes that a store sends. */
export type ReadChecksums = AllDigests & {
  /**
   * Whether the bytes match a checksum that was computed when they were received. Other checksums of the object are then
   * wrong. False if the ETag of a bucket does not show it, as with SSE-KMS.
   */
  isConfirmed: boolean
}

/** Checksums that are recorded in the database; null if they have not been computed. */
export type RecordedChecksums = { [algorithm in keyof Digests]: string | null }

/** Computes checksums of a stream in one pass. `update` must be called in stream order; calls may overlap. */
export type Hashing<Result = Digests> = {
  /** Resolves when the bytes have been read. The caller must not change the memory until then. */
  update(memory: SharedArrayBuffer, length: number): Promise<void>
  digest(): Promise<Result>
  /** Discards the hash. Must be called if `digest` will not be called. */
  abort(): void
}

export type SingleHash = Pick<Hashing, 'update' | 'abort'> & { digest(): Promise<string> }

export type HashPool = {
  /**
   * Starts hashing a stream of `sizeBytes` bytes with MD5 and SHA-256. Short streams are hashed on this thread, because
   * sending messages to another thread would take longer.
   */
  start(sizeBytes: number): Hashing
  /** Starts hashing a stream with all algorithms. Too slow for the bytes that a client sends. */
  startAll(sizeBytes: number): Hashing<AllDigests>
  /** Starts hashing a stream with SHA-256 only. */
  startSha256(sizeBytes: number): SingleHash
  /** Starts hashing a stream with MD5 only. */
  startMd5(sizeBytes: number): SingleHash
  close(): Promise<void>
}

const maxInlineBytes = 256 * 1024

type ByAlgorithm<A extends Algorithm> = Record<A, string>

function hashInline<A extends Algorithm>(algorithms: readonly A[]): Hashing<ByAlgorithm<A>> {
  const hashes = algorithms.map((algorithm) => [algorithm, createHash(algorithm)] as const)
  return {
    async update(memory, length) {
      const bytes = new Uint8Array(memory, 0, length)
      for (const [, hash] of hashes) hash.update(bytes)
    },
    digest: async () =>
      Object.fromEntries(
        hashes.map(([algorithm, hash]) => [algorithm, hash.digest('hex')]),
      ) as ByAlgorithm<A>,
    abort() {},
  }
}

// SHA-1 and SHA-512 together take about as long as MD5 alone.
const threadNames = { md5: 'md5', sha256: 'sha256', sha1: 'others', sha512: 'others' } as const
const receivedAlgorithms = ['md5', 'sha256'] as const
const allAlgorithms = ['md5', 'sha256', 'sha1', 'sha512'] as const

/**
 * Creates a pool of up to `threadsPerDigest` threads for MD5, as many for SHA-256 and as many for the others. Threads are started on
 * first use. MD5 saturates a core at about 900 MB/s (measured), so one thread for both digests would be slower than the
 * network and the disk.
 */
export function createHashPool({ threadsPerDigest }: { threadsPerDigest: number }): HashPool {
  const threads = { md5: new Set<HashThread>(), sha256: new Set<HashThread>(), others: new Set<HashThread>() }

  const startOn = (algorithm: Algorithm): ThreadedHash => {
    const pool = threads[threadNames[algorithm]]
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

  function startSingle(algorithm: Algorithm, sizeBytes: number): SingleHash {
    if (sizeBytes > maxInlineBytes) return startOn(algorithm)
    const hash = createHash(algorithm)
    return {
      update: async (memory, length) => void hash.update(new Uint8Array(memory, 0, length)),
      digest: async () => hash.digest('hex'),
      abort() {},
    }
  }

  function startWith<A extends Algorithm>(
    algorithms: readonly A[],
    sizeBytes: number,
  ): Hashing<ByAlgorithm<A>> {
    if (sizeBytes <= maxInlineBytes) return hashInline(algorithms)
    const hashes = algorithms.map((algorithm) => ({ algorithm, ...startOn(algorithm) }))
    return {
      async update(memory, length) {
        await Promise.all(hashes.map((hash) => hash.update(memory, length)))
      },
      async digest() {
        const digests = await Promise.all(
          hashes.map(async ({ algorithm, digest }) => [algorithm, await digest()]),
        )
        return Object.fromEntries(digests) as ByAlgorithm<A>
      },
      abort() {
        for (const hash of hashes) hash.abort()
      },
    }
  }

  return {
    start: (sizeBytes) => startWith(receivedAlgorithms, sizeBytes),
    startAll: (sizeBytes) => startWith(allAlgorithms, sizeBytes),
    startSha256: (sizeBytes) => startSingle('sha256', sizeBytes),
    startMd5: (sizeBytes) => startSingle('md5', sizeBytes),
    async close() {
      await Promise.all(Object.values(threads).flatMap((pool) => [...pool].map((thread) => thread.stop())))
    },
  }
}
