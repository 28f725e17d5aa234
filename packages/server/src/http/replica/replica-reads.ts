import type { Logger } from 'pino'
import type { Replica } from '../../database/replica.ts'
import type { Db } from '../../database/transaction.ts'
import { batched } from '../../lib/batched.ts'
import { Problem } from '../../lib/problem.ts'
import { callerId, type Actor } from '../endpoint/actor.ts'
import { findReadPositions, saveReadPositions } from './read-position.db.ts'

type Options = { db: Db; replica: Replica | undefined; log: Pick<Logger, 'warn'> }

const batches = { maxBatch: 500, maxConcurrency: 1 }
/** How long the callers whose position could not be saved use the primary. This exceeds the delay of a usable replica. */
const primaryOnlyMs = 10_000
const maxPrimaryOnly = 10_000

/** What determines whether an endpoint may read from a replica. */
type Reading = { method: string; budget?: string; streams?: object; readsPrimary?: boolean }

export type RunOnDatabase = <T>(
  endpoint: Reading,
  actor: Actor | null,
  work: (database: Db) => Promise<T>,
) => Promise<T>

/** Returns whether an endpoint only reads rows for which a delay of the replica is acceptable. */
const isRead = ({ method, budget, streams, readsPrimary }: Reading): boolean =>
  method === 'GET' && streams === undefined && budget !== 'downloads' && readsPrimary !== true

/**
 * Creates a function that runs requests of API keys on the read replica. A key always sees what it has written before,
 * through any node. Signed-in users read from the primary, because the console reloads data as soon as an event
 * announces a change.
 */
export function createRunOnDatabase({ db, replica, log }: Options): RunOnDatabase {
  const primaryOnly = new Map<string, number>()
  const findPosition = batched<string, number>({
    ...batches,
    maxConcurrency: 2,
    load: async (callers) => {
      const positions = await findReadPositions(db, callers)
      return callers.map((caller) => positions.get(caller))
    },
  })
  const savePosition = batched<string, undefined>({
    ...batches,
    load: async (callers) => {
      await saveReadPositions(db, callers)
      return []
    },
  })

  async function canRead(reader: Replica, actor: Actor): Promise<boolean> {
    if (actor.via === 'session' || !reader.isCurrent()) return false
    const caller = callerId(actor)
    if ((primaryOnly.get(caller) ?? 0) > performance.now()) return false
    const position = await findPosition(caller)
    return position === undefined || reader.hasReplayed(position)
  }

  async function recordWrite(caller: string): Promise<void> {
    try {
      await savePosition(caller)
    } catch (error) {
      log.warn({ err: error }, 'could not record a write for the read replica')
      if (primaryOnly.size >= maxPrimaryOnly) primaryOnly.clear()
      primaryOnly.set(caller, performance.now() + primaryOnlyMs)
    }
  }

  /**
   * Runs `work` on the replica if the endpoint and the caller permit it, otherwise on the primary. Any error on the
   * replica, even 404, may be due to its delay, so the work is repeated on the primary.
   */
  return async (endpoint, actor, work) => {
    if (replica === undefined || actor === null) return work(db)
    if (isRead(endpoint)) {
      const usesReplica = await canRead(replica, actor).catch(() => false)
      return usesReplica ? work(replica.db).catch(() => work(db)) : work(db)
    }
    if (endpoint.method === 'GET' || actor.via === 'session') return work(db)
    try {
      const result = await work(db)
      await recordWrite(callerId(actor))
      return result
    } catch (error) {
      // After a lost connection, the change may have been saved.
      if (!(error instanceof Problem) || error.kind === 'unavailable') await recordWrite(callerId(actor))
      throw error
    }
  }
}
