import { writePng } from '../../../packages/server/src/inspection/png-chunks.ts'

type Point = readonly [x: number, y: number]

/** Returns the distance of a point from the edge of a shape, negative inside. The unit square is the whole image. */
export type Shape = (x: number, y: number) => number

/** A shape filled with a color, or with a vertical gradient between two colors. */
export type Layer = { shape: Shape; fill: string; fillBelow?: string; opacity?: number }

export const circle =
  (cx: number, cy: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - cx, y - cy) - radius

export const box =
  (cx: number, cy: number, width: number, height: number, radius = 0): Shape =>
  (x, y) => {
    const dx = Math.abs(x - cx) - width / 2 + radius
    const dy = Math.abs(y - cy) - height / 2 + radius
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius
  }

export const line =
  ([ax, ay]: Point, [bx, by]: Point, width: number): Shape =>
  (x, y) => {
    const along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
    const at = Math.min(1, Math.max(0, along))
    return Math.hypot(x - ax - at * (bx - ax), y - ay - at * (by - ay)) - width / 2
  }

export const polygon =
  (...points: Point[]): Shape =>
  (x, y) => {
    let distance = Infinity
    let isInside = false
    for (const [index, [ax, ay]] of points.entries()) {
      const [bx, by] = points[(index + 1) % points.length] ?? [ax, ay]
      distance = Math.min(distance, line([ax, ay], [bx, by], 0)(x, y))
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside
    }
    return isInside ? -distance : distance
  }

/** Returns the outline of a shape. */
export const outline =
  (shape: Shape, width: number): Shape =>
  (x, y) =>
    Math.abs(shape(x, y)) - width / 2

export const intersection =
  (...shapes: Shape[]): Shape =>
  (x, y) =>
    Math.max(...shapes.map((shape) => shape(x, y)))

/** Draws the layers from back to front and returns a square PNG image. */
export function drawPng(size: number, layers: readonly Layer[]): Buffer {
  const pixels = Buffer.alloc(size * size * 4)
  const fills = layers.map(({ shape, fill, fillBelow = fill, opacity = 1 }) => ({
    shape,
    opacity,
    above: channelsOf(fill),
    below: channelsOf(fillBelow),
  }))
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [x, y] = [(column + 0.5) / size, (row + 0.5) / size]
      let [red, green, blue, alpha] = [0, 0, 0, 0]
      for (const { shape, opacity, above, below } of fills) {
        const cover = Math.min(1, Math.max(0, 0.5 - shape(x, y) * size)) * opacity
        if (cover === 0) continue
        const mixed = (index: 0 | 1 | 2) => above[index] + (below[index] - above[index]) * y
        red += (mixed(0) - red) * cover
        green += (mixed(1) - green) * cover
        blue += (mixed(2) - blue) * cover
        alpha += (1 - alpha) * cover
      }
      const scale = alpha === 0 ? 0 : 1 / alpha
      const values = [red * scale, green * scale, blue * scale, alpha * 255]
      for (const [index, value] of values.entries())
        pixels[(row * size + column) * 4 + index] = Math.min(255, Math.round(value))
    }
  }
  return writePng(size, size, pixels)
}

function channelsOf(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}
