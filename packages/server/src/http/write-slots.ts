/** Runs work once its caller has a free slot, in the order of the calls. */
type WriteSlots = <T>(caller: string, work: () => Promise<T>) => Promise<T>

// Parallel writes of one caller often wait for the same row, each with one of the pool's 16 connections.
const maxWritesPerCaller = 4

/**
 * Limits how many writes of one caller are processed at once, so that a caller with many parallel writes delays itself
 * and not everyone who needs a database connection. The other writes wait in memory.
 */
export function createWriteSlots(): WriteSlots {
  const callers = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (caller, work) => {
    const state = callers.get(caller) ?? { running: 0, waiting: [] }
    callers.set(caller, state)
    if (state.running < maxWritesPerCaller) state.running += 1
    else await new Promise<void>((resolve) => state.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // A finished write passes its slot on, so that a new one cannot overtake one that waits.
      const next = state.waiting.shift()
      if (next !== undefined) next()
      else if (--state.running === 0) callers.delete(caller)
    }
  }
}
