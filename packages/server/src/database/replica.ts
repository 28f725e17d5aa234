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
  const replay = trackReplay(maxDelayMs)
  const useLog = createUseLog(log)

  /** Measures the position of the replica. Concurrent callers share one statement. */
  const measureReplica = batched<void, number>({
    maxBatch: 1_000,
    maxConcurrency: 1,
    load: async (callers) => {
      const state = await findReplayState(monitor.db)
      if (state.replayed !== null) replay.advance(state.replayed)
      return callers.map(() => replay.position())
    },
  })

  let isMeasuring = false

  async function measure(): Promise<void> {
    if (isMeasuring) return
    isMeasuring = true
    try {
      const atMs = performance.now()
      const [{ system, position }, state] = await Promise.all([
        findWritePosition(primary),
        findReplayState(monitor.db),
      ])
      if (state.replayed === null || state.system !== system) {
        replay.reset()
        return useLog.report(false, 'DATABASE_READ_URL does not refer to a streaming replica of the database')
      }
      replay.addSample({ atMs, position })
      replay.advance(state.replayed)
      useLog.report(replay.isCurrent(), 'it is behind the primary')
    } catch (error) {
      replay.reset()
      useLog.report(false, error instanceof Error ? error.message : String(error))
    } finally {
      isMeasuring = false
    }
  }

  const ready = measure()
  const timer = setInterval(() => void measure(), measureMs).unref()

  return {
    db,
    /** Returns whether the replica is nearly up to date. */
    isCurrent: replay.isCurrent,
    /** Returns whether the replica has replayed everything up to a position of the primary. */
    async hasReplayed(position: number): Promise<boolean> {
      return position <= replay.position() || position <= ((await measureReplica()) ?? 0)
    },
    /** Resolves after the first measurement. */
    ready,
    async close(): Promise<void> {
      useLog.close()
      clearInterval(timer)
      await Promise.all([monitor.close(1_000), close(1_000)])
    },
  }
}

export type Replica = ReturnType<typeof createReplica>

/** Tracks how far the replica has replayed what the primary has written. */
function trackReplay(maxDelayMs: number) {
  /** Recent positions of the primary that the replica has not yet been seen to reach, oldest first. */
  let samples: Sample[] = []
  let replayed = 0
  /** The time at which the primary wrote what the replica has replayed. */
  let currentAtMs = -Infinity
  return {
    position: (): number => replayed,
    isCurrent: (): boolean => performance.now() - currentAtMs <= maxDelayMs,
    /** Adds the newest position of the primary. */
    addSample(newest: Sample): void {
      samples = samples.filter((sample) => sample.atMs > newest.atMs - maxDelayMs)
      samples.push(newest)
    },
    advance(position: number): void {
      replayed = Math.max(replayed, position)
      for (;;) {
        const [oldest] = samples
        if (oldest === undefined || oldest.position > replayed) return
        currentAtMs = oldest.atMs
        samples.shift()
      }
    },
    /** Forgets all measurements, because the replica may be another server when it can be reached again. */
    reset(): void {
      samples = []
      replayed = 0
      currentAtMs = -Infinity
    },
  }
}

/** Creates a log of whether the replica is used, which has an entry for each change until it is closed. */
function createUseLog(log: Options['log']) {
  let isUsed: boolean | undefined
  let isClosed = false
  return {
    report(isUsable: boolean, reason: string): void {
      if (isUsed === isUsable || isClosed) return
      isUsed = isUsable
      if (isUsable) log.info({}, 'the read replica serves reads')
      else log.warn({ reason }, 'the read replica is not used')
    },
    close(): void {
      isClosed = true
    },
  }
}
