import assert from 'node:assert/strict'

type Bounds = { withinMs?: number; everyMs?: number }

/**
 * Polls until the result is neither false nor undefined, and returns the result. Fails if a poll that started `withinMs`
 * after the call has no result, so that a stall of this process does not count as a failure.
 */
export async function until<T>(
  condition: string,
  poll: () => T | Promise<T>,
  { withinMs = 60_000, everyMs = 20 }: Bounds = {},
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const isLast = performance.now() >= deadline
    const result = await poll()
    if (result !== undefined && result !== false) return result as Exclude<T, undefined | false>
    assert.ok(!isLast, `${condition}: not true within ${withinMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
