import { crc32, deflateSync } from 'node:zlib'

const size = 180
/** The number of samples along each side of a pixel. */
const samples = 3
const cornerRadius = 40

type Color = readonly [red: number, green: number, blue: number]
const above: Color = [92, 124, 250]
const below: Color = [54, 79, 199]
const white: Color = [255, 255, 255]

type Box = { left: number; top: number; right: number; bottom: number; radius: number }
const tile: Box = { left: 0, top: 0, right: size, bottom: size, radius: cornerRadius }
const bars: readonly Box[] = [
  { left: 46, top: 50, right: 134, bottom: 70, radius: 10 },
  { left: 46, top: 80, right: 134, bottom: 100, radius: 10 },
  { left: 46, top: 110, right: 96, bottom: 130, radius: 10 },
]

/** Returns the icon of the sample application as a PNG file. */
export function sampleIcon(): Buffer {
  const rows: Buffer[] = []
  for (let y = 0; y < size; y++) {
    const row = Buffer.alloc(1 + size * 4)
    const share = y / size
    const fill = above.map((value, index) => value + ((below[index] ?? 0) - value) * share)
    for (let x = 0; x < size; x++) {
      const mark = Math.max(...bars.map((bar) => coverage(bar, x, y)))
      const color = fill.map((value, index) => Math.round(value + ((white[index] ?? 0) - value) * mark))
      row.set([...color, Math.round(coverage(tile, x, y) * 255)], 1 + x * 4)
    }
    rows.push(row)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // 8 bits for each of red, green, blue and alpha.
  header.set([8, 6], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns which share of a pixel is in a box with round corners. */
function coverage({ left, top, right, bottom, radius }: Box, x: number, y: number): number {
  let inside = 0
  for (let index = 0; index < samples * samples; index++) {
    const atX = x + ((index % samples) + 0.5) / samples
    const atY = y + (Math.floor(index / samples) + 0.5) / samples
    const distanceX = Math.max(left + radius - atX, atX - right + radius, 0)
    const distanceY = Math.max(top + radius - atY, atY - bottom + radius, 0)
    if (Math.hypot(distanceX, distanceY) <= radius) inside++
  }
  return inside / samples ** 2
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
