import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWindowCounter } from './window-counter.ts'

function counterWithClock(limit: number) {
  const clock = { time: 0 }
  return { clock, counter: createWindowCounter({ limit, windowMs: 60_000, now: () => clock.time }) }
}

test('rejects uses beyond the limit until the window ends', () => {
  const { clock, counter } = counterWithClock(3)
  for (const remaining of [2, 1, 0])
    assert.deepEqual(counter.take('a'), { isAllowed: true, remaining, resetSeconds: 60 })
  clock.time = 59_001
  assert.deepEqual(counter.take('a'), { isAllowed: false, remaining: 0, resetSeconds: 1 })
  clock.time = 60_000
  assert.deepEqual(counter.take('a'), { isAllowed: true, remaining: 2, resetSeconds: 60 })
})

test('counts each subject separately', () => {
  const { counter } = counterWithClock(1)
  assert.equal(counter.take('a').isAllowed, true)
  assert.equal(counter.take('b').isAllowed, true)
  assert.equal(counter.take('a').isAllowed, false)
})

test('does not extend the window for rejected attempts', () => {
  const { clock, counter } = counterWithClock(1)
  counter.take('a')
  for (clock.time = 1; clock.time < 60_000; clock.time += 1000)
    assert.equal(counter.take('a').isAllowed, false)
  clock.time = 60_000
  assert.equal(counter.take('a').isAllowed, true)
})

test('ends the window when a subject is forgotten', () => {
  const { counter } = counterWithClock(1)
  counter.take('a')
  counter.forget('a')
  assert.equal(counter.take('a').isAllowed, true)
})

test('evicts the oldest window when there are too many subjects', () => {
  const { counter } = counterWithClock(1)
  for (let subject = 0; subject <= 50_000; subject++) counter.take(String(subject))
  assert.equal(counter.take('50000').isAllowed, false)
  assert.equal(counter.take('0').isAllowed, true)
})

test('does not push the reset time past the end of the window because of a rounding error', () => {
  const { clock, counter } = counterWithClock(1)
  for (clock.time = 0; clock.time < 10_000; clock.time += 0.7371) {
    assert.equal(counter.take('a').resetSeconds, 60, `${clock.time}`)
    counter.forget('a')
  }
})

test('returns each use once for sharing, and only of subjects that have used a tenth of the limit', () => {
  const { counter } = counterWithClock(20)
  counter.take('rare')
  for (let use = 0; use < 3; use++) counter.take('frequent')
  assert.deepEqual(counter.takeUnshared(), [{ subject: 'frequent', count: 3, leftMs: 60_000 }])
  assert.deepEqual(counter.takeUnshared(), [])
  counter.take('rare')
  assert.deepEqual(counter.takeUnshared(), [{ subject: 'rare', count: 2, leftMs: 60_000 }])
})

test('adds uses that are not shared yet to the total of all processes', () => {
  const { clock, counter } = counterWithClock(10)
  for (let use = 0; use < 2; use++) counter.take('a')
  counter.takeUnshared()
  counter.take('a')
  counter.setTotal({ subject: 'a', count: 8, leftMs: 30_000 })
  assert.deepEqual(counter.take('a'), { isAllowed: true, remaining: 0, resetSeconds: 30 })
  assert.deepEqual(counter.take('a'), { isAllowed: false, remaining: 0, resetSeconds: 30 })
  clock.time += 30_000
  assert.equal(counter.take('a').isAllowed, true)
})

test('rejects uses while the total of all processes exceeds the limit', () => {
  const { counter } = counterWithClock(10)
  counter.take('a')
  counter.takeUnshared()
  counter.setTotal({ subject: 'a', count: 15, leftMs: 10_000 })
  assert.deepEqual(counter.take('a'), { isAllowed: false, remaining: 0, resetSeconds: 10 })
})
