import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { createTurns } from './turns.ts'

test('resolves at most the maximum number of calls per iteration of the event loop, in order', async () => {
  const turns = createTurns(3)
  const resolved: number[] = []
  const calls = Array.from({ length: 8 }, (_, number) => turns().then(() => resolved.push(number)))
  await Promise.resolve()
  const counts = [resolved.length]
  while (resolved.length < 8) {
    await nextIteration()
    counts.push(resolved.length)
  }
  await Promise.all(calls)
  assert.deepEqual(resolved, [0, 1, 2, 3, 4, 5, 6, 7])
  const increases = counts.map((count, index) => count - (counts[index - 1] ?? 0))
  assert.ok(
    increases.every((increase) => increase <= 3),
    String(counts),
  )
})

test('resolves at once again after an iteration without calls', async () => {
  const turns = createTurns(1)
  for (let round = 0; round < 3; round++) {
    let isResolved = false
    void turns().then(() => (isResolved = true))
    await Promise.resolve()
    assert.ok(isResolved)
    await nextIteration()
    await nextIteration()
  }
})
