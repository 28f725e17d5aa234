import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatTimeLeft } from './duration.ts'

// The page from which the console learns its URL.
Object.assign(globalThis, { document: { baseURI: 'http://localhost:4400/' } })
const { daysUntil, relativeTime, shortAge, shortDay } = await import('./time.ts')

const now = Date.parse('2026-11-25T12:00:00Z')
const second = 1
const minute = 60
const hour = 3_600
const day = 86_400
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()
const relative = (seconds: number) => relativeTime(at(seconds), now)

describe('the time of a deadline', () => {
  test('is the one that was set, although some time has passed since then', () => {
    for (const [seconds, text] of [
      [7 * day - minute, 'in 7 days'],
      [30 * day - 5 * minute, 'in 1 month'],
      [90 * day - hour, 'in 3 months'],
      [365 * day - minute, 'in 1 year'],
      [day - 10 * minute, 'tomorrow'],
      [hour - minute, 'in 1 hour'],
      [minute - second, 'in 1 minute'],
    ] as const)
      assert.equal(relative(seconds), text, `${seconds} s`)
  })

  test('is rounded to the nearest unit', () => {
    for (const [seconds, text] of [
      [6.4 * day, 'in 6 days'],
      [6.6 * day, 'in 7 days'],
      [23 * hour, 'in 23 hours'],
      [90 * second, 'in 2 minutes'],
      [50 * minute, 'in 50 minutes'],
    ] as const)
      assert.equal(relative(seconds), text, `${seconds} s`)
  })

  test('is not counted in seconds', () => {
    assert.equal(relative(45), 'in a moment')
    // The clock with which times are compared may be 20 seconds late.
    assert.equal(relative(15), 'just now')
    assert.equal(relative(0), 'just now')
  })
})

test('an age is the number of whole units that have passed', () => {
  for (const [seconds, long, short] of [
    [59 * second, 'just now', 'now'],
    [119 * second, '1 minute ago', '1 min'],
    [hour - second, '59 minutes ago', '59 min'],
    [2 * hour - second, '1 hour ago', '1 h'],
    [day - second, '23 hours ago', '23 h'],
    [2 * day - second, 'yesterday', '1 d'],
    [60 * day - second, '1 month ago', '59 d'],
    [60 * day, '2 months ago', '2 mo'],
    [730 * day, '2 years ago', '2 y'],
  ] as const) {
    assert.equal(relative(-seconds), long)
    assert.equal(shortAge(at(-seconds), now), short)
  }
})

test('a deadline within a day is zero days away, and a missed one is negative', () => {
  for (const [seconds, days] of [
    [day, 1],
    [day - second, 0],
    [0, 0],
    [-second, -1],
  ] as const)
    assert.equal(daysUntil(at(seconds), now), days)
})

test('the remaining time of an upload has at most two units', () => {
  for (const [seconds, text] of [
    [0.2, '1 s'],
    [59.4, '59 s'],
    [89, '1 min'],
    [59.6 * minute, '1 h'],
    [65 * minute, '1 h 5 min'],
    [120 * minute, '2 h'],
  ] as const)
    assert.equal(formatTimeLeft(seconds), text)
})

test('the days of statistics have a year unless it is the current one', () => {
  assert.equal(shortDay('2026-11-03', now), 'Nov 3')
  assert.equal(shortDay('2025-11-30', now), 'Nov 30, 2025')
})
