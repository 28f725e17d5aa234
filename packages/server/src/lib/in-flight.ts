export type InFlight = {
  /** Runs `work` under a name that other callers can wait for. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Returns whether work with this name is running. */
  has(name: string): boolean
  /**
   * Waits for the work with this name and returns its result. Returns undefined if no such work is running or it fails.
   */
  outcome(name: string): Promise<unknown>
}

/** Tracks work in progress, so that concurrent callers can wait in memory instead of polling the database. */
export function createInFlight(): InFlight {
  const running = new Map<string, Promise<unknown>>()
  return {
    async run(name, work) {
      const outcome = work()
      running.set(name, outcome)
      try {
        return await outcome
      } finally {
        if (running.get(name) === outcome) running.delete(name)
      }
    },
    has: (name) => running.has(name),
    async outcome(name) {
      return await running.get(name)?.catch(() => undefined)
    },
  }
}
