import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWindowCounter } from './window-counter.ts'

function counterWithClock(most: number) {
  const clock = { time: 0 }
  return { clock, counter: createWindowCounter({ most, windowMs: 60_000, now: () => clock.time }) }
}

test('a window, more than it allows, is refused until it ends', () => {
  const { clock, counter } = counterWithClock(3)
  for (const remaining of [2, 1, 0])
    assert.deepEqual(counter.take('a'), { isAllowed: true, remaining, resetSeconds: 60 })
  clock.time = 59_001
  assert.deepEqual(counter.take('a'), { isAllowed: false, remaining: 0, resetSeconds: 1 })
  clock.time = 60_000
  assert.deepEqual(counter.take('a'), { isAllowed: true, remaining: 2, resetSeconds: 60 })
})

test('a window, another subject, has one of its own', () => {
  const { counter } = counterWithClock(1)
  assert.equal(counter.take('a').isAllowed, true)
  assert.equal(counter.take('b').isAllowed, true)
  assert.equal(counter.take('a').isAllowed, false)
})

test('a window, refused attempts, do not make it longer', () => {
  const { clock, counter } = counterWithClock(1)
  counter.take('a')
  for (clock.time = 1; clock.time < 60_000; clock.time += 1000)
    assert.equal(counter.take('a').isAllowed, false)
  clock.time = 60_000
  assert.equal(counter.take('a').isAllowed, true)
})

test('a window, forgotten, starts anew', () => {
  const { counter } = counterWithClock(1)
  counter.take('a')
  counter.forget('a')
  assert.equal(counter.take('a').isAllowed, true)
})

test('windows, more subjects than are kept, push out the oldest', () => {
  const { counter } = counterWithClock(1)
  for (let subject = 0; subject <= 50_000; subject++) counter.take(String(subject))
  assert.equal(counter.take('50000').isAllowed, false)
  assert.equal(counter.take('0').isAllowed, true)
})

test('a window opened at a fraction of a millisecond, never said to be longer than it is', () => {
  const { clock, counter } = counterWithClock(1)
  for (clock.time = 0; clock.time < 10_000; clock.time += 0.7371) {
    assert.equal(counter.take('a').resetSeconds, 60, `${clock.time}`)
    counter.forget('a')
  }
})
