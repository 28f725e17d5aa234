import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryDelaySeconds } from './retry-delay.ts'

const nowMs = Date.parse('2026-11-01T12:00:00Z')
const delay = (attempts: number, header?: string, random = 0) =>
  retryDelaySeconds(attempts, { header, nowMs }, () => random)

test('makes ten attempts within about a day', () => {
  const times: number[] = [0]
  for (let attempts = 1; ; attempts++) {
    const seconds = delay(attempts)
    if (seconds === undefined) break
    times.push(times.at(-1)! + seconds)
  }
  const minute = 60
  const hour = 60 * minute
  assert.deepEqual(times, [
    0,
    5,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ])
})

test('adds up to 10% random jitter to the delay', () => {
  assert.equal(delay(1, undefined, 0), 5)
  assert.equal(delay(1, undefined, 1), 5.5)
})

test('honors Retry-After, but waits no longer than a day', () => {
  assert.equal(delay(1, '120'), 120)
  assert.equal(delay(1, '64.57'), 64.57)
  assert.equal(delay(1, 'Sun, 01 Nov 2026 13:00:00 GMT'), 3600)
  assert.equal(delay(1, '999999999'), 24 * 3600)
})

test('ignores a Retry-After header that is shorter than the delay, in the past or invalid', () => {
  for (const header of ['1', 'Sun, 01 Nov 2026 11:00:00 GMT', 'soon', '-5', ''])
    assert.equal(delay(1, header), 5, header)
})
