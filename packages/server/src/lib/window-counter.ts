export type Taken = {
  isAllowed: boolean
  /** What is left in the window of the subject. */
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
}

export interface WindowCounter {
  readonly most: number
  /** Counts one; past `most` in a window nothing is counted and nothing is allowed. */
  take(subject: string): Taken
  /** Ends the window of the subject. */
  forget(subject: string): void
}

type Options = { most: number; windowMs: number; now?: () => number }

const mostSubjects = 50_000

/** So many for each subject in a window that its first one opens; kept in memory, the oldest windows go first. */
export function createWindowCounter({
  most,
  windowMs,
  now = () => performance.now(),
}: Options): WindowCounter {
  const windows = new Map<string, { count: number; endsAt: number }>()

  function windowOf(subject: string, time: number) {
    const known = windows.get(subject)
    if (known !== undefined && known.endsAt > time) return known
    windows.delete(subject)
    const [oldest] = windows.keys()
    if (windows.size >= mostSubjects && oldest !== undefined) windows.delete(oldest)
    const opened = { count: 0, endsAt: time + windowMs }
    windows.set(subject, opened)
    return opened
  }

  return {
    most,
    take(subject) {
      const time = now()
      const window = windowOf(subject, time)
      const isAllowed = window.count < most
      if (isAllowed) window.count++
      // sums of fractions may come out a hair above the window
      const leftMs = Math.min(windowMs, window.endsAt - time)
      const resetSeconds = Math.max(1, Math.ceil(leftMs / 1000))
      return { isAllowed, remaining: most - window.count, resetSeconds }
    },
    forget(subject) {
      windows.delete(subject)
    },
  }
}
