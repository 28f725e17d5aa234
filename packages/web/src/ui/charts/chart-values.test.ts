import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvRows, formatValue, hasEnoughPoints, type ChartValues } from './chart-values.ts'

const valuesOf = (values: (number | null)[], more: Partial<ChartValues> = {}): ChartValues => ({
  periods: values.map((_, index) => ({
    from: `2026-11-0${index + 1}`,
    to: `2026-11-0${index + 1}`,
    label: `Nov ${index + 1}`,
  })),
  series: [{ name: 'Android', values }],
  unit: 'bytes',
  ...more,
})

test('a chart needs values for two periods', () => {
  assert.equal(hasEnoughPoints(valuesOf([])), false)
  assert.equal(hasEnoughPoints(valuesOf([0, 0, 0])), false)
  assert.equal(hasEnoughPoints(valuesOf([0, 0, 5])), false)
  assert.equal(hasEnoughPoints(valuesOf([0, 5, 0])), true)
  assert.equal(hasEnoughPoints(valuesOf([null, 5, null])), false)
  assert.equal(hasEnoughPoints(valuesOf([3, null, 5])), true)
})

test('zero is a value once something was recorded', () => {
  assert.equal(hasEnoughPoints(valuesOf([0, 0, 1], { recorded: [0, 4, 2] })), true)
  assert.equal(hasEnoughPoints(valuesOf([0, 0, 1], { recorded: [0, 0, 2] })), false)
})

test('writes plain numbers with their unit to CSV', () => {
  assert.deepEqual(csvRows(valuesOf([1_234_567, null])), [
    ['from', 'to', 'Android (bytes)'],
    ['2026-11-01', '2026-11-01', '1234567'],
    ['2026-11-02', '2026-11-02', ''],
  ])
})

test('formats the values of a table', () => {
  assert.equal(formatValue(null, 'count'), '–')
  assert.equal(formatValue(1_234, 'count'), '1,234')
  assert.equal(formatValue(100, 'seconds'), '2 min')
  assert.equal(formatValue(5_400, 'seconds'), '1.5 h')
  assert.equal(formatValue(3 * 86_400, 'seconds'), '3 d')
})
