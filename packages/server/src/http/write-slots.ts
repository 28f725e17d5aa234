/** Runs the work once the caller has a free slot. Calls run in the order in which they were made. */
type WriteSlots = <T>(caller: string, work: () => Promise<T>) => Promise<T>

// Parallel writes of one caller often wait for the same row, and each occupies one of the pool's 16 connections.
const maxWritesPerCaller = 4

/**
 * Limits how many writes of one caller run at once, so that a caller with many parallel writes delays only itself and
 * not everyone who needs a database connection. The other writes wait in memory.
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
      // A finished write passes its slot to the next one, so that a new write cannot overtake a waiting one.
      const next = state.waiting.shift()
      if (next !== undefined) next()
      else if (--state.running === 0) callers.delete(caller)
    }
  }
}
