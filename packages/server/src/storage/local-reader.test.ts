import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { segmentRanges } from './local-reader.ts'

describe('segmentRanges', () => {
  test('lists the segments that make up a byte range in their original order', () => {
    const cases = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }).chain((sizes) => {
      const total = sizes.reduce((sum, size) => sum + size, 0)
      return fc.tuple(fc.constant(sizes), fc.nat(Math.max(total - 1, 0)), fc.nat(Math.max(total - 1, 0)))
    })
    fc.assert(
      fc.property(cases, ([sizes, a, b]) => {
        let next = 0
        const stored = new Map(
          sizes.map((size, index) => [String(index), Array.from({ length: size }, () => next++)]),
        )
        const segments = sizes.map((sizeBytes, index) => ({ name: String(index), sizeBytes }))
        const object = { key: '', sizeBytes: next, segments }
        const read = (ranges: ReturnType<typeof segmentRanges>) =>
          ranges.flatMap(({ name, position, sizeBytes }) =>
            stored.get(name)?.slice(position, position + sizeBytes),
          )
        const whole = Array.from({ length: next }, (_, index) => index)
        assert.deepEqual(read(segmentRanges(object)), whole)
        const [start, end] = [Math.min(a, b), Math.max(a, b)]
        assert.deepEqual(read(segmentRanges(object, { start, end })), whole.slice(start, end + 1))
        assert.ok(segmentRanges(object, { start, end }).every(({ sizeBytes }) => sizeBytes > 0))
      }),
    )
  })
})
