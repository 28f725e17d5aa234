import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBitmap } from './icon-bitmap.ts'

const [width, height] = [3, 2]

/** Returns a bitmap. `rows` and `mask` start with the bottom row. */
function bitmap(bits: number, palette: string, rows: string[], mask: string[]): Buffer {
  const header = Buffer.alloc(40)
  header.writeUInt32LE(40, 0)
  header.writeInt32LE(width, 4)
  header.writeInt32LE(height * 2, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(bits, 14)
  header.writeUInt32LE(palette.length / 8, 32)
  const padded = [...rows, ...mask].map((row) => row.padEnd(Math.ceil(row.length / 8) * 8, '0'))
  return Buffer.concat([header, Buffer.from(palette + padded.join(''), 'hex')])
}

const [red, blue, clear] = ['ff0000ff', '0000ffff', '00000000']
const expected = [red, red, blue, blue, clear, red].join('')
const palette = '0000ff00ff000000'
/** The second pixel of the lower row is transparent. */
const mask = ['40', '00']

const bitmaps = {
  1: bitmap(1, palette, ['80', '20'], mask),
  4: bitmap(4, `${palette}00000000`, ['1200', '0010'], mask),
  8: bitmap(8, `${palette}00000000`, ['010200', '000001'], mask),
  24: bitmap(24, '', ['ff00000000000000ff', '0000ff0000ffff0000'], mask),
  32: bitmap(32, '', ['ff0000ff000000000000ffff', '0000ffff0000ffffff0000ff'], ['ff', 'ff']),
}

for (const [bits, bytes] of Object.entries(bitmaps)) {
  test(`reads an icon with ${bits} bits per pixel`, () => {
    const found = readBitmap(bytes)
    const pixels = found?.pixels.toString('hex') ?? ''
    // With one bit per pixel, there are only two colors, so the transparent pixel has one of them.
    assert.equal(bits === '1' ? pixels.replace('ff000000', clear) : pixels, expected)
  })
}

test('uses the mask if no pixel has an alpha value', () => {
  const bytes = bitmap(32, '', ['ff000000000000000000ff00', '0000ff000000ff00ff000000'], mask)
  const alpha = readBitmap(bytes)?.pixels.filter((_, at) => at % 4 === 3)
  assert.deepEqual([...(alpha ?? [])], [255, 255, 255, 255, 0, 255])
})

test('throws a RangeError for a truncated bitmap', () => {
  for (const bytes of Object.values(bitmaps))
    assert.throws(() => readBitmap(bytes.subarray(0, 50)), RangeError)
})
