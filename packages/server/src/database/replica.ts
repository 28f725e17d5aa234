import type { Logger } from 'pino'
import { batched } from '../lib/batched.ts'
import { connectDatabase, type Connection } from './connect.ts'
import { findReplayState, findWritePosition } from './replay.db.ts'
import type { Db } from './transaction.ts'

type Options = {
  connection: Connection
  primary: Db
  log: Pick<Logger, 'info' | 'warn'>
  /** The interval between two measurements of the delay. */
  measureMs?: number
  /** The delay above which the replica is not used. */
  maxDelayMs?: number
}

type Sample = { atMs: number; position: number }

const maxConnections = 16

/**
 * Connects to a streaming replica and measures how far it is behind. The replica is used only while it has replayed
 * everything that the primary had written a few seconds ago.
 */
export function createReplica({ connection, primary, log, measureMs = 500, maxDelayMs = 5_000 }: Options) {
  const { db, close } = connectDatabase({ connection, maxConnections, log })
  const monitor = connectDatabase({ connection, maxConnections: 1, log })
  /** Recent positions of the primary that the replica has not yet been seen to reach, oldest first. */
  let samples: Sample[] = []
  let replayed = 0
  /** The time at which the primary wrote what the replica has replayed. */
  let currentAtMs = -Infinity
  let isUsed: boolean | undefined
  let isClosed = false

  /** Measures the position of the replica. Concurrent callers share one statement. */
  const measureReplica = batched<void, number>({
    maxBatch: 1_000,
    maxConcurrency: 1,
    load: async (callers) => {
      const state = await findReplayState(monitor.db)
      if (state.replayed !== null) advance(state.replayed)
      return callers.map(() => replayed)
    },
  })

  function advance(position: number): void {
    replayed = Math.max(replayed, position)
    for (;;) {
      const [oldest] = samples
      if (oldest === undefined || oldest.position > replayed) return
      currentAtMs = oldest.atMs
      samples.shift()
    }
  }

  /** Forgets all measurements, because the replica may be another server when it can be reached again. */
  function reset(): void {
    samples = []
    replayed = 0
    currentAtMs = -Infinity
  }

  async function measure(): Promise<void> {
    try {
      const atMs = performance.now()
      const [{ system, position }, state] = await Promise.all([
        findWritePosition(primary),
        findReplayState(monitor.db),
      ])
      if (state.replayed === null || state.system !== system) {
        reset()
        return report(false, 'DATABASE_READ_URL does not refer to a streaming replica of the database')
      }
      samples = samples.filter((sample) => sample.atMs > atMs - maxDelayMs)
      samples.push({ atMs, position })
      advance(state.replayed)
      report(isCurrent(), 'it is behind the primary')
    } catch (error) {
      reset()
      report(false, error instanceof Error ? error.message : String(error))
    }
  }

  const isCurrent = (): boolean => performance.now() - currentAtMs <= maxDelayMs

  function report(isUsable: boolean, reason: string): void {
    if (isUsed === isUsable || isClosed) return
    isUsed = isUsable
    if (isUsable) log.info({}, 'the read replica serves reads')
    else log.warn({ reason }, 'the read replica is not used')
  }

  let measuring = measure()
  const timer = setInterval(() => {
    measuring = measuring.then(measure)
  }, measureMs).unref()

  return {
    db,
    /** Returns whether the replica is nearly up to date. */
    isCurrent,
    /** Returns whether the replica has replayed everything up to a position of the primary. */
    async hasReplayed(position: number): Promise<boolean> {
      return position <= replayed || position <= ((await measureReplica()) ?? 0)
    },
    /** Resolves after the first measurement. */
    ready: measuring,
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await Promise.all([monitor.close(1_000), close(1_000)])
    },
  }
}

export type Replica = ReturnType<typeof createReplica>
