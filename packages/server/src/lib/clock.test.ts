import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSystemClock } from './clock.ts'

test('returns the current system time on each call', () => {
  const clock = createSystemClock()
  const before = Date.now()
  const [first, second] = [clock.now(), clock.now()]
  assert.ok(
    before <= first.getTime() && first.getTime() <= second.getTime() && second.getTime() <= Date.now(),
  )
  assert.notEqual(first, second)
})

test('reports a wall-clock adjustment in milliseconds', (t) => {
  const clock = createSystemClock()
  assert.ok(Math.abs(clock.jumpMs()) < 1000)
  const dayMs = 24 * 60 * 60 * 1000
  const real = Date.now
  t.mock.method(Date, 'now', () => real() + dayMs)
  assert.ok(Math.abs(clock.jumpMs() - dayMs) < 1000)
})
