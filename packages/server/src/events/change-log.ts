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

export type LogEntry = LoggedChange & {
  /** Whether no earlier entry reports the creation or restoration of the resource, and clients cannot know of it. */
  isFirst: boolean
  /** Whether it depends on the place from which a client resumed if the client knows of the creation. */
  isBeforeStart: boolean
}

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
  let beforeStartEnd = 0
  const creations = followCreations()
  let isComplete = false
  let starting: Promise<void> | undefined
  let run = 0
  const { wake, pause } = createWakeUp()

  async function load(current: number): Promise<void> {
    const page = await listLatestChanges(db, initialChanges)
    if (run !== current) return
    firstSequence += changes.length
    const loaded = page.changes.map((change) => ({ ...change, isFirst: false, isBeforeStart: true }))
    ;[changes, floor] = page.hasMore ? [loaded.slice(1), loaded[0] ?? firstPosition] : [loaded, firstPosition]
    lastRead = page.changes.at(-1) ?? firstPosition
    beforeStartEnd = firstSequence + changes.length
    creations.restart(changes)
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
    const entries = found.map((change) => creations.toEntry(change, floor))
    const lastBeforeStart = entries.findLastIndex(({ isBeforeStart }) => isBeforeStart)
    if (lastBeforeStart >= 0) beforeStartEnd = firstSequence + changes.length + lastBeforeStart + 1
    changes.push(...entries)
    lastRead = found.at(-1) ?? lastRead
    if (changes.length > capacity * 1.2) {
      const dropped = changes.splice(0, changes.length - capacity)
      firstSequence += dropped.length
      floor = dropped.at(-1) ?? floor
      for (const change of dropped) creations.drop(change)
    }
    onChanges()
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
    /** Returns the sequence number after the last entry whose event depends on where a client resumed. */
    beforeStartEnd: () => beforeStartEnd,
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

/**
 * Determines which entry reports a creation. A resource has one row in the database. If it changes soon after its
 * creation, the row has moved to the position of the second change before the first is read, and clients can have
 * received changes in between. If the first precedes the start and the second was not committed yet, the loaded changes
 * do not contain the resource.
 */
function followCreations() {
  /** The creations that entries in memory report, by resource. */
  const reported = new Map<string, number>()
  /** The position from which on every creation has been followed. */
  let followedFrom = 0
  return {
    restart(loaded: readonly LoggedChange[]): void {
      followedFrom = loaded.at(-1)?.position ?? 0
      reported.clear()
      for (const change of loaded)
        if (change.listed_position !== null) reported.set(keyOf(change), change.listed_position)
    },
    toEntry(change: LoggedChange, floor: ChangePosition): LogEntry {
      const { listed_position: listed } = change
      const isNew = listed !== null && listed > floor.position && reported.get(keyOf(change)) !== listed
      if (!isNew) return { ...change, isFirst: false, isBeforeStart: false }
      reported.set(keyOf(change), listed)
      const isFirst = listed > followedFrom
      return { ...change, isFirst, isBeforeStart: !isFirst }
    },
    drop(change: LoggedChange): void {
      if (reported.get(keyOf(change)) === change.listed_position) reported.delete(keyOf(change))
    },
  }
}

const keyOf = ({ type, id, owner }: ChangePosition): string => `${type} ${id} ${owner}`
