import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Executor } from '../database/transaction.ts'
import { createWakeUp } from '../lib/wake-up.ts'
import { listChangesAfter, listLatestChanges, type LoggedChange } from './change-log.db.ts'
import { afterTransaction, firstPosition, isAfter, type ChangePosition } from './change-position.ts'

type Options = {
  db: Executor
  log: Pick<Logger, 'warn' | 'info'>
  /** Called after each read that found changes. */
  onChanges: () => void
  /** The interval between reads if `wake` is not called. */
  pollMs: number
}

/** `isFirst` is set if no earlier entry of the log reports the creation or restoration of the resource. */
export type LogEntry = LoggedChange & { isFirst: boolean }

export type ChangeLog = ReturnType<typeof createChangeLog>

const pageSize = 1_000
const capacity = 10_000
/** The number of changes to load at the start, so that most clients that reconnect after a restart need no query. */
const initialChanges = 5_000
/** The minimum time between two reads, which limits the work while many changes are made. */
const minPauseMs = 15
const firstPendingPauseMs = 10
const maxPendingPauseMs = 250
const failurePauseMs = 1_000

/**
 * Creates a reader that keeps the latest changes of all owners in memory, in commit order. Each process has one reader,
 * so the number of queries does not depend on the number of clients. Changes have consecutive sequence numbers.
 */
export function createChangeLog({ db, log, onChanges, pollMs }: Options) {
  let changes: LogEntry[] = []
  let firstSequence = 0
  /** The place after which every change is in memory. */
  let floor = firstPosition
  let lastRead: ChangePosition = firstPosition
  /** The place from which on the log has followed every creation. */
  let followedFrom = firstPosition
  let loadedEnd = 0
  /** The creations that entries in memory report, by resource. */
  const reported = new Map<string, number>()
  let isComplete = false
  let starting: Promise<void> | undefined
  let run = 0
  const { wake, pause } = createWakeUp()

  async function load(current: number): Promise<void> {
    const page = await listLatestChanges(db, initialChanges)
    if (run !== current) return
    firstSequence += changes.length
    const loaded = page.changes.map((change) => ({ ...change, isFirst: false }))
    ;[changes, floor] = page.hasMore ? [loaded.slice(1), loaded[0] ?? firstPosition] : [loaded, firstPosition]
    lastRead = page.changes.at(-1) ?? firstPosition
    followedFrom = lastRead
    loadedEnd = firstSequence + changes.length
    reported.clear()
    isComplete = true
    void follow(current)
  }

  async function follow(current: number): Promise<void> {
    let pendingPauseMs = firstPendingPauseMs
    let isFailing = false
    for (let pauseMs = pollMs; ;) {
      await delay(minPauseMs)
      await pause(pauseMs)
      if (run !== current) return
      try {
        const page = await listChangesAfter(db, lastRead, pageSize)
        if (run !== current) return
        if (isFailing) log.info('the event stream reads changes again')
        isFailing = false
        append(page.changes, page.hasMore)
        pendingPauseMs =
          page.isPending && page.changes.length === 0
            ? Math.min(pendingPauseMs * 2, maxPendingPauseMs)
            : firstPendingPauseMs
        pauseMs = page.hasMore ? 0 : page.isPending ? pendingPauseMs : pollMs
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'the event stream cannot read changes')
        isFailing = true
        pauseMs = failurePauseMs
      }
    }
  }

  function append(found: readonly LoggedChange[], hasMore: boolean): void {
    isComplete = !hasMore
    if (found.length === 0) return
    changes.push(...found.map(toEntry))
    lastRead = found.at(-1) ?? lastRead
    if (changes.length > capacity * 1.2) {
      const dropped = changes.splice(0, changes.length - capacity)
      firstSequence += dropped.length
      floor = dropped.at(-1) ?? floor
      for (const change of dropped)
        if (reported.get(keyOf(change)) === change.listed_position) reported.delete(keyOf(change))
    }
    onChanges()
  }

  /**
   * A resource has one row in the database. If it changes soon after its creation, the row has moved to the position of
   * the second change before the first is read, and clients can have received changes in between.
   */
  function toEntry(change: LoggedChange): LogEntry {
    const { listed_position: listed } = change
    const isFollowed = listed !== null && listed > Math.max(followedFrom.position, floor.position)
    if (!isFollowed) return { ...change, isFirst: false }
    const isFirst = reported.get(keyOf(change)) !== listed
    reported.set(keyOf(change), listed)
    return { ...change, isFirst }
  }

  return {
    /** Loads the latest changes and starts reading new ones. Resolves once the latest changes are in memory. */
    start(): Promise<void> {
      starting ??= load(++run).catch((error: unknown) => {
        starting = undefined
        throw error
      })
      return starting
    },
    stop(): void {
      run++
      starting = undefined
      wake()
    },
    /** Makes the reader look for new changes within milliseconds instead of at the next interval. */
    wake,
    floor: () => floor,
    /** Returns the place after all changes that have been read. */
    end: (): ChangePosition => (isComplete ? afterTransaction(lastRead) : lastRead),
    /** Returns the sequence number after the changes that `start` loaded, all of which were read at the same time. */
    loadedEnd: () => loadedEnd,
    endSequence: () => firstSequence + changes.length,
    at: (sequence: number): LogEntry | undefined => changes[sequence - firstSequence],
    /** Returns the sequence number of the first change after a place, which must not precede the floor. */
    sequenceAfter(place: ChangePosition): number {
      let low = 0
      for (let high = changes.length; low < high;) {
        const middle = (low + high) >>> 1
        const change = changes[middle]
        if (change !== undefined && isAfter(change, place)) high = middle
        else low = middle + 1
      }
      return firstSequence + low
    },
  }
}

const keyOf = ({ type, id, owner }: ChangePosition): string => `${type} ${id} ${owner}`
