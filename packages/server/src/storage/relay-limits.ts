import { limitConcurrency, limitConcurrencyByName } from '../lib/concurrency.ts'
import { Problem, problem } from '../lib/problem.ts'
import { createBlockMemories } from './block-memory.ts'
import { tooManyUploadsOfKey } from './storage-errors.ts'
import type { BlockSupply } from './transfer/range-blocks.ts'

type Options = {
  /** The number of downloads in progress. The clients of one network, and those of one file, get half of them. */
  maxDownloads?: number
  /** The number of downloads that wait for each of these limits, and how long they wait. */
  maxWaiting?: number
  maxWaitMs?: number
  /** The memory for blocks, in addition to a small block for each download. */
  maxBlocksBytes?: number
  /** The number of blocks that are read at once for the downloads of a file by a network. */
  maxReads?: number
  maxParts?: number
  maxPartsPerCaller?: number
}

export type RelayLimits = ReturnType<typeof createRelayLimits>

/** Creates the limits of what the relay does at once, because each download and each part occupies memory. */
export function createRelayLimits({
  maxDownloads = 512,
  maxWaiting = 64,
  maxWaitMs = 2_000,
  maxBlocksBytes = 32 * 1024 * 1024,
  maxReads = 16,
  maxParts = 256,
  maxPartsPerCaller = 64,
}: Options = {}) {
  const downloadQueue = { maxWaiting, maxWaitMs, refuse: tooManyDownloads }
  const downloads = limitConcurrency(maxDownloads, downloadQueue)
  const byNetwork = limitConcurrencyByName(maxDownloads / 2, downloadQueue)
  const byKey = limitConcurrencyByName(maxDownloads / 2, downloadQueue)
  const memories = createBlockMemories(maxBlocksBytes)
  // Reads for many slow clients would otherwise delay those for a client of another network.
  const reads = limitConcurrencyByName(maxReads)
  const parts = limitConcurrency(maxParts, { maxWaiting, maxWaitMs, refuse: tooManyParts })
  const byCaller = limitConcurrencyByName(maxPartsPerCaller, {
    maxWaiting: 0,
    maxWaitMs,
    refuse: () => tooManyUploadsOfKey({ max: maxPartsPerCaller }),
  })
  return {
    /** Runs a download. Throws `storage.no_capacity` if too many are in progress. */
    send(
      { network, key }: { network: string; key: string },
      work: (supply: BlockSupply) => Promise<void>,
    ): Promise<void> {
      const supply: BlockSupply = {
        memory: memories([`network ${network}`, `key ${key}`]),
        limitReads: (read) => reads(`${network} ${key}`, read),
      }
      return byNetwork(network, () => byKey(key, () => downloads(() => work(supply))))
    },
    /** Runs the upload of a part. Throws `storage.too_many_uploads` or `storage.no_capacity`. */
    receive: (callerId: string, work: () => Promise<void>): Promise<void> =>
      byCaller(callerId, () => parts(work)),
  }
}

const tooManyDownloads = problem(
  'unavailable',
  'storage.no_capacity',
  'Too many downloads of several ranges are in progress. Try again shortly.',
  { retryAfterSeconds: 5 },
)

const tooManyParts = problem(
  'unavailable',
  'storage.no_capacity',
  'Too many uploads are in progress. Try again shortly.',
  { retryAfterSeconds: 5 },
)

/** Returns whether the error says that too many clients use the relay, which is not a failure. */
export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'storage.no_capacity'
