import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BrokenImage } from './broken-image.ts'
import { images } from './image.fixture.ts'
import { readImage } from './image.ts'

const all = Object.entries({
  'a PNG image': images.png,
  'an interlaced PNG image': images.interlacedPng,
  'a JPEG image': images.jpeg,
  'a progressive JPEG image': images.progressiveJpeg,
  'a lossy WebP image': images.lossyWebp,
  'a lossless WebP image': images.losslessWebp,
  'an extended WebP image': images.extendedWebp,
}).map(([name, { type, base64 }]) => [name, type, Buffer.from(base64, 'base64')] as const)

for (const [name, type, bytes] of all) {
  test(`reads the type and dimensions of ${name}`, () => {
    assert.deepEqual(readImage(bytes), { type, width: 40, height: 24 })
  })

  test(`rejects ${name} that is truncated at any byte`, () => {
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length)
      if (length >= 12) assert.throws(() => readImage(cut), BrokenImage, String(length))
      else
        try {
          assert.equal(readImage(cut), undefined)
        } catch (error) {
          assert.ok(error instanceof BrokenImage, String(length))
        }
    }
  })

  test(`rejects ${name} with trailing data`, () => {
    assert.throws(() => readImage(Buffer.concat([bytes, Buffer.from('<script>')])), BrokenImage)
  })

  test(`throws no error other than BrokenImage when up to four bytes of ${name} are changed`, () => {
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

test('rejects a PNG image with an incorrect checksum', () => {
  const bytes = Buffer.from(images.png.base64, 'base64')
  bytes[19] = 200
  assert.throws(() => readImage(bytes), BrokenImage)
})

for (const [description, text] of Object.entries({
  'an empty file': '',
  'a GIF image': 'GIF89a',
  'an SVG image': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'a ZIP archive': 'PK\u0003\u0004',
  'a WAV file': 'RIFF....WAVE',
})) {
  test(`does not recognize ${description} as a supported image type`, () => {
    assert.equal(readImage(Buffer.from(text)), undefined)
  })
}
