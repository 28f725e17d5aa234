/** Runs `work` once a slot is free. Calls start in the order in which they were made. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** Runs the work once a slot for `name` is free. Calls with the same name run in the order in which they were made. */
export type LimitByName = <T>(name: string, work: () => Promise<T>) => Promise<T>

/**
 * Creates a limit of `max` concurrent tasks. A task must not wait for another task under the same limit, because they
 * could deadlock.
 */
export function limitConcurrency(max: number): Limit {
  const limitByName = limitConcurrencyByName(max)
  return (work) => limitByName('', work)
}

/** Creates a limit of `max` concurrent tasks with the same name. A task must not wait for another task with its name. */
export function limitConcurrencyByName(max: number): LimitByName {
  const states = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (name, work) => {
    const state = states.get(name) ?? { running: 0, waiting: [] }
    states.set(name, state)
    if (state.running < max) state.running += 1
    else await new Promise<void>((resolve) => state.waiting.push(resolve))
    try {
      return await work()
    } finally {
      // A finished call hands its slot to the next waiting call, so a new call cannot jump the queue.
      const next = state.waiting.shift()
      if (next !== undefined) next()
      else if (--state.running === 0) states.delete(name)
    }
  }
}
