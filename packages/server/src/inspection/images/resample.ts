import type { Size } from './broken-image.ts'

export type Pixels = Size & { data: Uint8ClampedArray }

/** Returns the pixels on a white background, reduced to the mean of areas if a side is longer than `maxSide`. */
export function resample({ width, height, data }: Pixels, maxSide: number): Pixels {
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const target = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
  const output = new Uint8ClampedArray(target.width * target.height * 4)
  for (let y = 0; y < target.height; y++) {
    const top = Math.floor((y * height) / target.height)
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * height) / target.height))
    for (let x = 0; x < target.width; x++) {
      const left = Math.floor((x * width) / target.width)
      const right = Math.max(left + 1, Math.floor(((x + 1) * width) / target.width))
      const [red, green, blue] = meanOf(data, width, { left, right, top, bottom })
      const at = (y * target.width + x) * 4
      output[at] = red
      output[at + 1] = green
      output[at + 2] = blue
      output[at + 3] = 255
    }
  }
  return { ...target, data: output }
}

type Area = { left: number; right: number; top: number; bottom: number }

function meanOf(data: Uint8ClampedArray, width: number, { left, right, top, bottom }: Area) {
  let [red, green, blue] = [0, 0, 0]
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 4
      const alpha = (data[at + 3] ?? 255) / 255
      const white = 255 * (1 - alpha)
      red += (data[at] ?? 0) * alpha + white
      green += (data[at + 1] ?? 0) * alpha + white
      blue += (data[at + 2] ?? 0) * alpha + white
    }
  const count = (right - left) * (bottom - top)
  return [red / count, green / count, blue / count] as const
}
