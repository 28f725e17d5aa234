import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { parseRange } from './byte-range.ts'

describe('parseRange', () => {
  const table: [string | undefined, ReturnType<typeof parseRange>, string?][] = [
    [undefined, undefined, 'a missing header'],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-', { start: 0, end: 99 }],
    ['BYTES= 5-9 ', { start: 5, end: 9 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-1', { start: 99, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    [`bytes=0-${'9'.repeat(400)}`, { start: 0, end: 99 }, 'an end position of 400 digits'],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable', 'a start position of 400 digits'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-5', undefined],
    ['bytes=-', undefined],
    ['bytes=', undefined],
    ['bytes', undefined],
    ['', undefined, 'an empty header'],
    ['bytes=0-1,5-6', undefined],
    ['bytes=a-b', undefined],
    ['bytes=0x1-2', undefined],
    ['bytes=1e1-20', undefined],
    ['bytes=+1-2', undefined],
    ['bytes=--5', undefined],
    ['lines=0-5', undefined],
    [`bytes=${' '.repeat(15_000)}`, undefined, '15,000 spaces after "bytes="'],
  ]
  for (const [header, expected, description = `"${header}"`] of table) {
    const outcome =
      expected === undefined
        ? 'no range'
        : expected === 'unsatisfiable'
          ? '"unsatisfiable"'
          : `bytes ${expected.start} to ${expected.end}`
    test(`returns ${outcome} for ${description} when the file has 100 bytes`, () =>
      assert.deepEqual(parseRange(header, 100), expected))
  }

  test('rejects every range of an empty file as unsatisfiable', () => {
    for (const header of ['bytes=0-0', 'bytes=0-', 'bytes=-5'])
      assert.equal(parseRange(header, 0), 'unsatisfiable')
  })

  test('returns only ranges within the file for any header', () => {
    const text = fc.oneof(
      fc.string(),
      fc.tuple(fc.string(), fc.string()).map(([a, b]) => `bytes=${a}-${b}`),
      fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
    )
    fc.assert(
      fc.property(text, fc.nat(200), (header, size) => {
        const range = parseRange(header, size)
        if (typeof range === 'object')
          assert.ok(0 <= range.start && range.start <= range.end && range.end < size)
      }),
    )
  })
})
