export type WindowUsage = {
  isAllowed: boolean
  /** Number of uses left in the subject's current window. */
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

export interface WindowCounter {
  readonly limit: number
  /** Counts one use unless the subject has reached `limit` in its current window. */
  take(subject: string): WindowUsage
  /** Ends the subject's window. */
  forget(subject: string): void
}

/** The uses of a subject in a window, and how long the window lasts. */
export type WindowCount = { subject: string; count: number; leftMs: number }

/** A counter whose counts are shared with other processes. */
export interface SharableWindowCounter extends WindowCounter {
  /**
   * Returns the uses that were not returned before. Omits subjects that have used less than a tenth of the limit, whose
   * uses are returned once they exceed it.
   */
  takeUnshared(): WindowCount[]
  /** Sets the total of all processes. Uses since the last call of `takeUnshared` are added to it. */
  setTotal(total: WindowCount): void
}

type Options = { limit: number; windowMs: number; now?: () => number }
type Window = { count: number; unshared: number; endsAt: number }

const maxSubjects = 50_000
const minSharedFraction = 0.1

/**
 * Creates an in-memory counter. A subject's first use starts its window. When there are too many subjects, the oldest
 * window is evicted.
 */
export function createWindowCounter({
  limit,
  windowMs,
  now = () => performance.now(),
}: Options): SharableWindowCounter {
  const windows = new Map<string, Window>()
  /** The subjects with uses that were not shared yet. */
  const unshared = new Set<string>()

  function windowOf(subject: string, time: number): Window {
    const known = windows.get(subject)
    if (known !== undefined && known.endsAt > time) return known
    windows.delete(subject)
    const [oldest] = windows.keys()
    if (windows.size >= maxSubjects && oldest !== undefined) windows.delete(oldest)
    const opened = { count: 0, unshared: 0, endsAt: time + windowMs }
    windows.set(subject, opened)
    return opened
  }

  return {
    limit,
    take(subject) {
      const time = now()
      const window = windowOf(subject, time)
      const isAllowed = window.count < limit
      if (isAllowed) {
        window.count++
        window.unshared++
        if (window.count >= limit * minSharedFraction) unshared.add(subject)
      }
      // Floating-point addition can make the remaining time slightly longer than the window.
      const leftMs = Math.min(windowMs, window.endsAt - time)
      const resetSeconds = Math.max(1, Math.ceil(leftMs / 1000))
      return { isAllowed, remaining: Math.max(0, limit - window.count), resetSeconds }
    },
    forget(subject) {
      windows.delete(subject)
    },
    takeUnshared() {
      const time = now()
      const taken: WindowCount[] = []
      for (const subject of unshared) {
        const window = windows.get(subject)
        if (window === undefined || window.endsAt <= time || window.unshared === 0) continue
        taken.push({ subject, count: window.unshared, leftMs: window.endsAt - time })
        window.unshared = 0
      }
      unshared.clear()
      return taken
    },
    setTotal({ subject, count, leftMs }) {
      const window = windows.get(subject)
      if (window === undefined) return
      window.count = count + window.unshared
      window.endsAt = now() + leftMs
    },
  }
}
