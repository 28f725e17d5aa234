import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseSize, sizeString } from './sizes.ts'

const formatted: readonly (readonly [number, string])[] = [
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1023 B'],
  [1024, '1.00 KB'],
  [1029, '1.00 KB'],
  [1030, '1.01 KB'],
  [1536, '1.50 KB'],
  [3_554_673, '3.39 MB'],
  [1024 ** 2 - 6, '1023.99 KB'],
  [1024 ** 2 - 5, '1.00 MB'],
  [1024 ** 2 - 1, '1.00 MB'],
  [1024 ** 2, '1.00 MB'],
  [1024 ** 3 - 1, '1.00 GB'],
  [5 * 1024 ** 3, '5.00 GB'],
  [5 * 10 ** 11, '465.66 GB'],
  [1024 ** 4, '1.00 TB'],
  [1024 ** 5, '1.00 PB'],
  [Number.MAX_SAFE_INTEGER, '8.00 PB'],
]

for (const [bytes, text] of formatted) {
  test(`formats ${bytes} ${bytes === 1 ? 'byte' : 'bytes'} as ${text}`, () =>
    assert.equal(sizeString(bytes), text))
}

test('rounds any size to two decimal places and always shows a number below 1024', () => {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeNat(), fc.nat({ max: 2 ** 31 - 1 }), fc.nat({ max: 5000 })), (bytes) => {
      const [, value = '', unit = ''] = /^(\d{1,4}(?:\.\d\d)?) ([KMGTP]?B)$/.exec(sizeString(bytes)) ?? []
      const step = 1024 ** units.indexOf(unit)
      assert.ok(Number(value) < 1024)
      assert.ok(
        Math.abs(Number(value) * step - bytes) <= step * 0.005 + 1e-6 * bytes,
        `${bytes}: ${value} ${unit}`,
      )
      assert.equal(value.includes('.'), unit !== 'B')
    }),
    { numRuns: 5000 },
  )
})

const parsed: readonly (readonly [string, number])[] = [
  ['0', 0],
  ['4096', 4096],
  ['512 B', 512],
  ['20GB', 20 * 1024 ** 3],
  ['20 GiB', 20 * 1024 ** 3],
  ['1.5 tib', 1.5 * 1024 ** 4],
  ['100 kB', 102_400],
]

for (const [text, bytes] of parsed)
  test(`parses "${text}" as a size`, () => assert.equal(parseSize(text), bytes))

test('returns undefined for text that is not a size', () => {
  for (const text of ['', 'GB', '-1', '1,5 GB', '5%', '1 G', '1 XB', '1e9', '9999999 PB'])
    assert.equal(parseSize(text), undefined, text)
})
