/** Runs work once a slot is free, in the order of the calls. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** Returns a limit under which at most `max` pieces of work run at once. Work must not wait for the same limit. */
export function limitConcurrency(max: number): Limit {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < max) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // A finished call passes its slot on, so that a new call cannot overtake one that waits.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/** Runs pieces of work with the same name one after another. */
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
