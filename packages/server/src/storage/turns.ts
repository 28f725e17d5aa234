/** Resolves at once for the first `max` calls in an iteration of the event loop, and in a later iteration for the others. */
export type Turns = () => Promise<void>

/**
 * Creates turns for work that blocks the event loop briefly but occurs thousands of times at once. Work of other kinds
 * then waits for at most `max` pieces of it. Calls are served in order.
 */
export function createTurns(max: number): Turns {
  const waiting: (() => void)[] = []
  let left = max
  const startIteration = () => {
    const served = waiting.splice(0, max)
    left = max - served.length
    if (served.length > 0) setImmediate(startIteration)
    for (const resolve of served) resolve()
  }
  return () => {
    if (left === max) setImmediate(startIteration)
    if (left === 0) return new Promise((resolve) => waiting.push(resolve))
    left -= 1
    return Promise.resolve()
  }
}
