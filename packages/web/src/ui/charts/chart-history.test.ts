import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isShortHistory } from './chart-history.ts'

const series = (...values: number[]) => ({ values })

test('a history without a value is too short for a chart', () => {
  assert.equal(isShortHistory([]), true)
  assert.equal(isShortHistory([series(), series(0, 0, 0, 0)]), true)
})

test('a history of less than three days is too short for a chart', () => {
  assert.equal(isShortHistory([series(0, 0, 0, 5)]), true)
  assert.equal(isShortHistory([series(0, 0, 5, 5)]), true)
  assert.equal(isShortHistory([series(0, 5, 5, 5)]), false)
})

test('a history begins with its first value, even if the later ones are zero', () => {
  assert.equal(isShortHistory([series(0, 5, 0, 0)]), false)
})

test('one long series is enough for a chart', () => {
  assert.equal(isShortHistory([series(0, 0, 0, 5), series(1, 0, 0, 0)]), false)
})
