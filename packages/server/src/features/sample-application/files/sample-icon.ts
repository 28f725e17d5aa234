import { writePng } from '../../../inspection/png-chunks.ts'

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
  const pixels = Buffer.alloc(size * size * 4)
  for (let y = 0; y < size; y++) {
    const share = y / size
    const fill = above.map((value, index) => value + ((below[index] ?? 0) - value) * share)
    for (let x = 0; x < size; x++) {
      const mark = Math.max(...bars.map((bar) => coverage(bar, x, y)))
      const color = fill.map((value, index) => Math.round(value + ((white[index] ?? 0) - value) * mark))
      pixels.set([...color, Math.round(coverage(tile, x, y) * 255)], (y * size + x) * 4)
    }
  }
  return writePng(size, size, pixels)
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
