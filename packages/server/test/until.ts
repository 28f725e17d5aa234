import assert from 'node:assert/strict'

const withinMs = 60_000

/** Polls until `find` returns a value; fails after a minute. */
export async function until<T>(what: string, find: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    assert.ok(performance.now() < deadline, `${what} within ${withinMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
