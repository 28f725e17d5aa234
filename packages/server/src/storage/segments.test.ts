import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { piecesOf } from './segments.ts'

describe('pieces of an object', () => {
  test('any range over any segments is what a slice of the whole gives', () => {
    const cases = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }).chain((sizes) => {
      const total = sizes.reduce((sum, size) => sum + size, 0)
      return fc.tuple(fc.constant(sizes), fc.nat(Math.max(total - 1, 0)), fc.nat(Math.max(total - 1, 0)))
    })
    fc.assert(
      fc.property(cases, ([sizes, one, other]) => {
        let next = 0
        const stored = new Map(
          sizes.map((size, index) => [String(index), Array.from({ length: size }, () => next++)]),
        )
        const segments = sizes.map((sizeBytes, index) => ({ name: String(index), sizeBytes }))
        const object = { key: '', sizeBytes: next, segments }
        const read = (pieces: ReturnType<typeof piecesOf>) =>
          pieces.flatMap(({ name, position, lengthBytes }) =>
            stored.get(name)?.slice(position, position + lengthBytes),
          )
        const whole = Array.from({ length: next }, (_, index) => index)
        assert.deepEqual(read(piecesOf(object)), whole)
        const [start, end] = [Math.min(one, other), Math.max(one, other)]
        assert.deepEqual(read(piecesOf(object, { start, end })), whole.slice(start, end + 1))
        assert.ok(piecesOf(object, { start, end }).every(({ lengthBytes }) => lengthBytes > 0))
      }),
    )
  })
})
