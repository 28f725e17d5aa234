import assert from 'node:assert/strict'

type Bounds = { withinMs?: number; everyMs?: number }

/** A poll that takes longer waits for a busy machine, and so does what it waits for. */
const countedPollMs = 50
const patienceMs = 60_000

/**
 * Polls until the result is neither false nor undefined, and returns the result. Fails if a poll that started after
 * `withinMs` has no result. On a busy machine, where polls take long, the time is extended, up to a minute.
 */
export async function until<T>(
  condition: string,
  poll: () => T | Promise<T>,
  { withinMs = 60_000, everyMs = 20 }: Bounds = {},
): Promise<Exclude<T, undefined | false>> {
  const startedMs = performance.now()
  for (let countedMs = 0; ;) {
    const polledMs = performance.now()
    const isLast = countedMs >= withinMs || polledMs - startedMs >= Math.max(withinMs, patienceMs)
    const result = await poll()
    if (result !== undefined && result !== false) return result as Exclude<T, undefined | false>
    assert.ok(!isLast, `${condition}: not true within ${withinMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
    countedMs += Math.min(performance.now() - polledMs, everyMs + countedPollMs)
  }
}
