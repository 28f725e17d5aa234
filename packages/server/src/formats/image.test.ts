import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BrokenImage } from './broken-image.ts'
import { images } from './image.fixture.ts'
import { readImage } from './image.ts'

const all = Object.entries(images).map(
  ([name, { type, base64 }]) => [name, type, Buffer.from(base64, 'base64')] as const,
)

for (const [name, type, bytes] of all) {
  test(`${name}, its type and size`, () => {
    assert.deepEqual(readImage(bytes), { type, width: 40, height: 24 })
  })

  test(`${name}, cut off anywhere, is broken or no image`, () => {
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length)
      const read = () => assert.equal(readImage(cut), undefined)
      if (length >= 12) assert.throws(() => readImage(cut), BrokenImage, String(length))
      else
        try {
          read()
        } catch (error) {
          assert.ok(error instanceof BrokenImage, String(length))
        }
    }
  })

  test(`${name}, something behind its end, is broken`, () => {
    assert.throws(() => readImage(Buffer.concat([bytes, Buffer.from('<script>')])), BrokenImage)
  })

  test(`${name}, any bytes of it changed, an image of some size or broken, never another error`, () => {
    const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.integer({ min: 0, max: 255 }) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = Buffer.from(bytes)
        for (const { at, to } of changes) changed[at] = to
        try {
          const image = readImage(changed)
          if (image !== undefined) assert.ok(image.width > 0 && image.height > 0)
        } catch (error) {
          assert.ok(error instanceof BrokenImage, String(error))
        }
      }),
      { numRuns: 2000 },
    )
  })
}

test('a PNG with a wrong checksum, broken', () => {
  const bytes = Buffer.from(images.png.base64, 'base64')
  bytes[19] = 200
  assert.throws(() => readImage(bytes), BrokenImage)
})

for (const text of [
  '',
  'GIF89a',
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'PK\u0003\u0004',
  'RIFF....WAVE',
]) {
  test(`${JSON.stringify(text)}, no image`, () => {
    assert.equal(readImage(Buffer.from(text)), undefined)
  })
}
