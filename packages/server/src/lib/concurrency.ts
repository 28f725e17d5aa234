/** Runs `work` once a slot is free. Calls start in the order in which they were made. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** Runs the work once a slot for `name` is free. Calls with the same name run in the order in which they were made. */
export type LimitByName = <T>(name: string, work: () => Promise<T>) => Promise<T>

/**
 * Creates a limit of `max` concurrent tasks. A task must not wait for another task under the same limit, because they
 * could deadlock.
 */
export const limitConcurrency = (max: number): Limit => createLimit(max, () => undefined)

/** Creates a limit of `max` concurrent tasks with the same name. A task must not wait for another task with its name. */
export function limitConcurrencyByName(max: number): LimitByName {
  const limits = new Map<string, Limit>()
  return (name, work) => {
    const limit = limits.get(name) ?? createLimit(max, () => limits.delete(name))
    limits.set(name, limit)
    return limit(work)
  }
}

/** Calls `onIdle` when the last task has finished. */
function createLimit(max: number, onIdle: () => void): Limit {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < max) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // A finished call hands its slot to the next waiting call, so a new call cannot jump the queue.
      const next = waiting.shift()
      if (next !== undefined) next()
      else if (--running === 0) onIdle()
    }
  }
}
