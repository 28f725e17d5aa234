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

type Options = { limit: number; windowMs: number; now?: () => number }

const maxSubjects = 50_000

/**
 * Creates an in-memory counter. A subject's first use starts its window. When there are too many subjects, the oldest
 * window is evicted.
 */
export function createWindowCounter({
  limit,
  windowMs,
  now = () => performance.now(),
}: Options): WindowCounter {
  const windows = new Map<string, { count: number; endsAt: number }>()

  function windowOf(subject: string, time: number) {
    const known = windows.get(subject)
    if (known !== undefined && known.endsAt > time) return known
    windows.delete(subject)
    const [oldest] = windows.keys()
    if (windows.size >= maxSubjects && oldest !== undefined) windows.delete(oldest)
    const opened = { count: 0, endsAt: time + windowMs }
    windows.set(subject, opened)
    return opened
  }

  return {
    limit,
    take(subject) {
      const time = now()
      const window = windowOf(subject, time)
      const isAllowed = window.count < limit
      if (isAllowed) window.count++
      // Floating-point addition can make the remaining time slightly longer than the window.
      const leftMs = Math.min(windowMs, window.endsAt - time)
      const resetSeconds = Math.max(1, Math.ceil(leftMs / 1000))
      return { isAllowed, remaining: limit - window.count, resetSeconds }
    },
    forget(subject) {
      windows.delete(subject)
    },
  }
}
