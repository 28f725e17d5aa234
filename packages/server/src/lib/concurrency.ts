/** Runs the work once a slot is free. Calls run in the order in which they were made. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** Creates a limit of `max` concurrent tasks. A task must not wait for another task under the same limit. */
export function limitConcurrency(max: number): Limit {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < max) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // A finished call passes its slot to the next one, so that a new call cannot overtake a waiting one.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/** Runs tasks with the same name one after another. */
export type Exclusive = <T>(name: string, work: () => Promise<T>) => Promise<T>

export function createExclusive(): Exclusive {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const previous = last.get(name)
    const current = previous === undefined ? work() : previous.then(work, work)
    last.set(name, current)
    try {
      return await current
    } finally {
      if (last.get(name) === current) last.delete(name)
    }
  }
}
