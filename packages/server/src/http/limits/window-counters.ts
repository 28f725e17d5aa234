import type { Logger } from 'pino'
import type { Executor } from '../../database/transaction.ts'
import { addRateCounts } from './rate-count.db.ts'
import {
  createWindowCounter,
  type SharableWindowCounter,
  type WindowCount,
  type WindowCounter,
} from './window-counter.ts'

type Options = {
  db: Executor
  log: Pick<Logger, 'debug'>
  /** Whether other nodes use the same database. */
  isShared: boolean
  /** The interval between two exchanges of counts. */
  shareMs?: number
}

/** Creates a counter with a name that identifies it on all nodes. */
export type CreateCounter = (name: string, options: { limit: number; windowMs: number }) => WindowCounter

const defaultShareMs = 400

/**
 * Creates rate limits that all nodes share. Each node counts in memory and exchanges its counts with the others through
 * the database, so that a request does not wait for the database. Until the exchange, a caller can exceed a limit on
 * another node.
 */
export function createWindowCounters({ db, log, isShared, shareMs = defaultShareMs }: Options) {
  const counters = new Map<string, SharableWindowCounter>()
  let isSharing = false
  let sharing = Promise.resolve()

  async function share(): Promise<void> {
    const taken = [...counters].flatMap(([name, counter]) =>
      counter.takeUnshared().map((count) => ({ ...count, subject: `${name} ${count.subject}` })),
    )
    if (taken.length === 0) return
    try {
      for (const total of await addRateCounts(db, taken)) setTotal(total)
    } catch (error) {
      // Counts that could not be shared still apply on this node.
      log.debug({ err: error }, 'cannot share the counts of rate limits')
    }
  }

  function setTotal({ subject, ...total }: WindowCount): void {
    const [name = ''] = subject.split(' ', 1)
    counters.get(name)?.setTotal({ ...total, subject: subject.slice(name.length + 1) })
  }

  function startSharing(): void {
    if (isSharing) return
    isSharing = true
    sharing = share().finally(() => {
      isSharing = false
    })
  }

  const timer = isShared ? setInterval(startSharing, shareMs).unref() : undefined

  const create: CreateCounter = (name, options) => {
    if (counters.has(name)) throw new Error(`There is already a counter with the name ${name}.`)
    const counter = createWindowCounter(options)
    // A counter without a limit never rejects a request, so its counts are not shared.
    if (options.limit > 0 && options.limit < Infinity) counters.set(name, counter)
    return counter
  }

  return {
    create,
    async close(): Promise<void> {
      clearInterval(timer)
      await sharing
    },
  }
}
