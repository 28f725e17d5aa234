import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteAxis } from './byte-axis.ts'

const labelsOf = (max: number): string[] => {
  const { ticks, tickFormatter } = byteAxis(max)
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
