type Waiter = { order: number; start: () => void }

export type ConnectionSlots = ReturnType<typeof createConnectionSlots>

/** Limits how many parts are sent at the same time. Parts of the upload that was added first go first. */
export function createConnectionSlots(count: number) {
  let free = count
  const waiting: Waiter[] = []

  function release(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next.start()
  }

  return {
    /** Runs the work when a connection is free. `order` is the time at which the upload was added. */
    async run<T>(order: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      signal.throwIfAborted()
      if (free > 0) free--
      else await turn(order, signal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }

  function turn(order: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(signal.reason as Error)
      }
      const waiter: Waiter = {
        order,
        start: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      const position = waiting.findIndex((other) => other.order > order)
      waiting.splice(position === -1 ? waiting.length : position, 0, waiter)
    })
  }
}
