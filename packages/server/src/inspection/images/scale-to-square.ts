import type { Pixels } from './resample.ts'

/** The pixels from which one is computed, and how much each counts. */
type Tap = { first: number; weights: number[] }

/**
 * Returns an image of exactly `side` × `side` pixels: the whole image, enlarged or reduced with a linear filter and centered on
 * white, because iOS shows transparent pixels black.
 */
export function scaleToSquare({ width, height, data }: Pixels, side: number): Pixels {
  const scale = side / Math.max(width, height)
  const target = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
  const rows = mixRows(onWhite(data), width, tapsOf(width, target.width))
  const columns = tapsOf(height, target.height)
  const output = new Uint8ClampedArray(side * side * 4).fill(255)
  const left = Math.floor((side - target.width) / 2)
  const top = Math.floor((side - target.height) / 2)
  for (const [y, { first, weights }] of columns.entries())
    for (let x = 0; x < target.width; x++)
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (const [at, weight] of weights.entries())
          sum += weight * (rows[((first + at) * target.width + x) * 3 + channel] ?? 0)
        output[((top + y) * side + left + x) * 4 + channel] = sum
      }
  return { width: side, height: side, data: output }
}

function onWhite(data: Uint8ClampedArray): Uint8ClampedArray {
  const output = new Uint8ClampedArray((data.length / 4) * 3)
  for (let pixel = 0; pixel < data.length / 4; pixel++) {
    const alpha = (data[pixel * 4 + 3] ?? 255) / 255
    for (let channel = 0; channel < 3; channel++)
      output[pixel * 3 + channel] = (data[pixel * 4 + channel] ?? 0) * alpha + 255 * (1 - alpha)
  }
  return output
}

/** Returns the taps that scale a line of `from` pixels to `to` pixels. */
function tapsOf(from: number, to: number): Tap[] {
  const ratio = from / to
  const reach = Math.max(1, ratio)
  return Array.from({ length: to }, (_, index) => {
    const center = (index + 0.5) * ratio - 0.5
    const first = Math.max(0, Math.ceil(center - reach))
    const last = Math.min(from - 1, Math.floor(center + reach))
    const weights = Array.from({ length: last - first + 1 }, (__, at) =>
      Math.max(1e-6, 1 - Math.abs(first + at - center) / reach),
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    return { first, weights: weights.map((weight) => weight / total) }
  })
}

/** Scales each row. */
function mixRows(data: Uint8ClampedArray, width: number, taps: readonly Tap[]): Uint8ClampedArray {
  const height = data.length / 3 / width
  const output = new Uint8ClampedArray(taps.length * height * 3)
  for (let y = 0; y < height; y++)
    for (const [x, { first, weights }] of taps.entries())
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (const [at, weight] of weights.entries())
          sum += weight * (data[(y * width + first + at) * 3 + channel] ?? 0)
        output[(y * taps.length + x) * 3 + channel] = sum
      }
  return output
}
