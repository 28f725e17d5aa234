import type { Db } from '../../database/transaction.ts'
import { batched } from '../../lib/batched.ts'
import type { Clock } from '../../lib/clock.ts'
import { findValidKeys } from './api-key.db.ts'

/**
 * How long an unknown hash is cached. This must be short, because a key created by another node must work within a
 * second.
 */
const unknownMs = 500
const maxUnknownKeys = 10_000

/**
 * Creates a function that finds a valid key by its hash. Requests with guessed keys cannot exhaust the database
 * connections, because concurrent lookups share queries and an unknown hash is not looked up again for half a second.
 */
export function createKeyLookup({ db, clock }: { db: Db; clock: Pick<Clock, 'monotonicMs'> }) {
  const unknownUntilMs = new Map<string, number>()
  const find = batched({
    maxBatch: 500,
    maxConcurrency: 2,
    load: async (hashes: Buffer[]) => {
      const rows = await findValidKeys(db, hashes)
      const byHash = new Map(rows.map((row) => [row.key_sha256.toString('hex'), row]))
      return hashes.map((hash) => byHash.get(hash.toString('hex')))
    },
  })

  return async (sha256: Buffer) => {
    const id = sha256.toString('hex')
    const nowMs = clock.monotonicMs()
    if ((unknownUntilMs.get(id) ?? 0) > nowMs) return undefined
    unknownUntilMs.delete(id)
    const row = await find(sha256)
    if (row === undefined) {
      const [oldest] = unknownUntilMs.keys()
      if (unknownUntilMs.size >= maxUnknownKeys && oldest !== undefined) unknownUntilMs.delete(oldest)
      unknownUntilMs.set(id, nowMs + unknownMs)
    }
    return row
  }
}
