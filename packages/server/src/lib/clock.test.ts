import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from './clock.ts'

test('the system clock tells the time of the machine, anew at each call', () => {
  const before = Date.now()
  const [first, second] = [systemClock.now(), systemClock.now()]
  assert.ok(
    before <= first.getTime() && first.getTime() <= second.getTime() && second.getTime() <= Date.now(),
  )
  assert.notEqual(first, second)
})
