/** Runs `work` once a slot is free. Calls start in the order in which they were made. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** Runs the work once a slot for `name` is free. Calls with the same name run in the order in which they were made. */
export type LimitByName = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Limits how many calls wait for a slot, and how long. Other calls throw the error that `refuse` returns. */
export type Queue = { maxWaiting: number; maxWaitMs: number; refuse: () => Error }

/**
 * Creates a limit of `max` concurrent tasks. A task must not wait for another task under the same limit, because they
 * could deadlock. Without a queue, any number of calls wait.
 */
export const limitConcurrency = (max: number, queue?: Queue): Limit =>
  createLimit(max, queue, () => undefined)

/** Creates a limit of `max` concurrent tasks with the same name. A task must not wait for another task with its name. */
export function limitConcurrencyByName(max: number, queue?: Queue): LimitByName {
  const limits = new Map<string, Limit>()
  return (name, work) => {
    const limit = limits.get(name) ?? createLimit(max, queue, () => limits.delete(name))
    limits.set(name, limit)
    return limit(work)
  }
}

/** Calls `onIdle` when the last task has finished. */
function createLimit(max: number, queue: Queue | undefined, onIdle: () => void): Limit {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < max) running += 1
    else await takeTurn(waiting, queue)
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

function takeTurn(waiting: (() => void)[], queue: Queue | undefined): Promise<void> {
  if (queue === undefined) return new Promise((resolve) => waiting.push(resolve))
  if (waiting.length >= queue.maxWaiting) return Promise.reject(queue.refuse())
  return new Promise((resolve, reject) => {
    const start = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(start), 1)
      reject(queue.refuse())
    }, queue.maxWaitMs)
    waiting.push(start)
  })
}
