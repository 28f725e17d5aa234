export type InFlight = {
  /** Runs the work, and lets others wait for it under this name. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Waits until the work of this name has ended, well or not; false when there is none. */
  wait(name: string): Promise<boolean>
}

/** What this process is working on, so that many who want the same need not ask the database over and over. */
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
    async wait(name) {
      const outcome = running.get(name)
      if (outcome === undefined) return false
      await outcome.catch(() => undefined)
      return true
    },
  }
}
