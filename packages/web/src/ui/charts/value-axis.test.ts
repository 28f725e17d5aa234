import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteAxis, durationAxis } from './value-axis.ts'

const labelsOf = (max: number, axisOf = byteAxis): string[] => {
  const { ticks, tickFormatter } = axisOf(max)
  assert.ok((ticks.at(-1) ?? 0) >= max)
  return ticks.map(tickFormatter)
}

test('divides an axis at round numbers of one unit', () => {
  assert.deepEqual(labelsOf(31.5 * 1024 ** 2), ['0', '10 MB', '20 MB', '30 MB', '40 MB'])
  assert.deepEqual(labelsOf(1.2 * 1024 ** 3), ['0', '0.5 GB', '1 GB', '1.5 GB'])
  assert.deepEqual(labelsOf(1000 * 1024 ** 3), ['0', '500 GB', '1000 GB'])
  assert.deepEqual(labelsOf(3), ['0', '1 B', '2 B', '3 B'])
  assert.deepEqual(labelsOf(0), ['0', '0.5 B'])
})

test('divides an axis of durations at round numbers of one unit', () => {
  assert.deepEqual(labelsOf(45, durationAxis), ['0', '20 s', '40 s', '60 s'])
  assert.deepEqual(labelsOf(27 * 60, durationAxis), ['0', '10 min', '20 min', '30 min'])
  assert.deepEqual(labelsOf(33 * 3_600, durationAxis), ['0', '10 h', '20 h', '30 h', '40 h'])
  assert.deepEqual(labelsOf(3.5 * 86_400, durationAxis), ['0', '1 d', '2 d', '3 d', '4 d'])
})
