export type InFlight = {
  /** Runs the work, and lets others wait for it under this name. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Whether work of this name is running. */
  has(name: string): boolean
  /** What the work of this name comes to; undefined when there is none, or when it fails. */
  outcome(name: string): Promise<unknown>
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
    has: (name) => running.has(name),
    async outcome(name) {
      return await running.get(name)?.catch(() => undefined)
    },
  }
}
