import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { includesFirstByte, parseRanges, requestsSeveralRanges } from './byte-range.ts'

describe('parseRanges', () => {
  const table: [string | undefined, ReturnType<typeof parseRanges>, string?][] = [
    [undefined, undefined, 'a missing header'],
    ['bytes=0-0', [{ start: 0, end: 0 }]],
    ['bytes=0-', [{ start: 0, end: 99 }]],
    ['BYTES= 5-9 ', [{ start: 5, end: 9 }]],
    ['bytes=90-1000', [{ start: 90, end: 99 }]],
    ['bytes=-1', [{ start: 99, end: 99 }]],
    ['bytes=-1000', [{ start: 0, end: 99 }]],
    [`bytes=0-${'9'.repeat(400)}`, [{ start: 0, end: 99 }], 'an end position of 400 digits'],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable', 'a start position of 400 digits'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-5', undefined],
    ['bytes=-', undefined],
    ['bytes=', undefined],
    ['bytes', undefined],
    ['', undefined, 'an empty header'],
    [
      'bytes=0-1,5-6',
      [
        { start: 0, end: 1 },
        { start: 5, end: 6 },
      ],
    ],
    [
      'bytes=50-59,0-9',
      [
        { start: 50, end: 59 },
        { start: 0, end: 9 },
      ],
      'ranges in descending order',
    ],
    [
      'bytes=0-9,5-14,0-9',
      [
        { start: 0, end: 9 },
        { start: 5, end: 14 },
        { start: 0, end: 9 },
      ],
      'ranges that overlap',
    ],
    [
      'bytes=0-1,2-3',
      [
        { start: 0, end: 1 },
        { start: 2, end: 3 },
      ],
      'adjacent ranges',
    ],
    [
      'bytes= 0-1 ,\t5-6 , , -1',
      [
        { start: 0, end: 1 },
        { start: 5, end: 6 },
        { start: 99, end: 99 },
      ],
      'a list with whitespace and an empty element',
    ],
    ['bytes=,0-1,', [{ start: 0, end: 1 }], 'one range between empty elements'],
    [
      'bytes=0-1,100-200,5-6',
      [
        { start: 0, end: 1 },
        { start: 5, end: 6 },
      ],
      'a list with a range outside the file',
    ],
    ['bytes=100-200,-0', 'unsatisfiable', 'a list of ranges outside the file'],
    ['bytes=100-,9-5', undefined, 'a list with an invalid range'],
    ['bytes=0-1,x', undefined, 'a list with an invalid element'],
    ['bytes=0-1;5-6', undefined],
    ['bytes=,', undefined],
    [
      'bytes=0-49,50-99',
      [
        { start: 0, end: 49 },
        { start: 50, end: 99 },
      ],
      'ranges of as many bytes as the file has',
    ],
    ['bytes=0-99,0-0', undefined, 'ranges of more bytes than the file has'],
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
          : expected.map(({ start, end }) => `bytes ${start} to ${end}`).join(' and ')
    test(`returns ${outcome} for ${description} when the file has 100 bytes`, () =>
      assert.deepEqual(parseRanges(header, 100), expected))
  }

  test('rejects every range of an empty file as unsatisfiable', () => {
    for (const header of ['bytes=0-0', 'bytes=0-', 'bytes=-5'])
      assert.equal(parseRanges(header, 0), 'unsatisfiable')
  })

  test('returns only ranges within the file for any header', () => {
    const text = fc.oneof(
      fc.string(),
      fc.tuple(fc.string(), fc.string()).map(([a, b]) => `bytes=${a}-${b}`),
      fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
      fc
        .array(fc.oneof(fc.tuple(fc.nat(200), fc.nat(200)), fc.tuple(fc.constant(''), fc.nat(200))))
        .map((pairs) => `bytes=${pairs.map(([a, b]) => `${a}-${b}`).join(', ')}`),
    )
    fc.assert(
      fc.property(text, fc.nat(200), (header, size) => {
        const ranges = parseRanges(header, size)
        if (typeof ranges !== 'object') return
        assert.ok(ranges.length > 0)
        for (const { start, end } of ranges) assert.ok(0 <= start && start <= end && end < size)
        const totalBytes = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
        assert.ok(totalBytes <= size)
      }),
    )
  })

  test('accepts at most 1,000 ranges', () => {
    const list = (count: number) =>
      `bytes=${Array.from({ length: count }, (_, at) => `${at}-${at}`).join(', ')}`
    const ranges = parseRanges(list(1_000), 5_000)
    assert.ok(Array.isArray(ranges))
    assert.equal(ranges.length, 1_000)
    assert.equal(parseRanges(list(1_001), 5_000), undefined)
  })

  test('recognizes a request whose response includes the first byte', () => {
    for (const header of [
      undefined,
      'bytes=0-',
      'bytes=5-9,0-0',
      'bytes=-100',
      'bytes=9-5',
      'bytes=x',
      'x=5-',
    ])
      assert.equal(includesFirstByte(header, 100), true, header)
    for (const header of ['bytes=1-', 'bytes=5-6,7-8', 'bytes=-99', 'bytes=100-', 'bytes=-0'])
      assert.equal(includesFirstByte(header, 100), false, header)
  })

  test('recognizes a request for several ranges', () => {
    for (const header of ['bytes=0-1,5-6', 'BYTES=0-1, -5', 'bytes=0-1,x', 'bytes=9-5,0-1'])
      assert.equal(requestsSeveralRanges(header), true, header)
    for (const header of [undefined, '', 'bytes=0-1', 'bytes=0-1,', 'bytes=,', 'lines=0-1,5-6'])
      assert.equal(requestsSeveralRanges(header), false, header)
  })
})
