import {
  box,
  circle,
  drawPng,
  intersection,
  line,
  outline,
  polygon,
  type Layer,
  type Shape,
} from './shapes.ts'

const tile = box(0.5, 0.5, 1, 1, 0.22)
const background = (fill: string, fillBelow: string): Layer => ({ shape: tile, fill, fillBelow })
const onTile = (shape: Shape): Shape => intersection(shape, tile)

const drawings = {
  workspace: [
    background('#2b3a55', '#182136'),
    { shape: circle(0.36, 0.62, 0.17), fill: '#f2b84b' },
    { shape: circle(0.64, 0.62, 0.17), fill: '#e4695e' },
    { shape: circle(0.5, 0.36, 0.17), fill: '#5fb3a1' },
  ],
  wayfern: [
    background('#2f9e77', '#0e4f4b'),
    { shape: circle(0.68, 0.3, 0.11), fill: '#ffd56b' },
    { shape: onTile(polygon([-0.1, 0.9], [0.34, 0.34], [0.78, 0.9])), fill: '#e9f5ef', fillBelow: '#9fd3bd' },
    { shape: onTile(polygon([0.3, 0.95], [0.68, 0.5], [1.1, 0.95])), fill: '#bfe3d3', fillBelow: '#6cb597' },
    { shape: onTile(box(0.5, 0.93, 1, 0.16)), fill: '#0b3b3a' },
  ],
  marginalia: [
    background('#6457d6', '#3b2f9c'),
    { shape: box(0.47, 0.52, 0.5, 0.62, 0.04), fill: '#fbf8ef' },
    { shape: box(0.33, 0.52, 0.02, 0.62), fill: '#e4695e' },
    ...[0.34, 0.44, 0.54, 0.64].map((y) => ({ shape: box(0.53, y, 0.28, 0.025, 0.01), fill: '#b9b4d8' })),
    { shape: line([0.86, 0.3], [0.62, 0.68], 0.085), fill: '#f2b84b' },
    { shape: polygon([0.584, 0.657], [0.656, 0.703], [0.57, 0.766]), fill: '#3a2a12' },
  ],
  'lantern-deep': [
    background('#1b1f4b', '#070a1f'),
    { shape: circle(0.5, 0.48, 0.34), fill: '#f2b84b', opacity: 0.16 },
    { shape: circle(0.5, 0.48, 0.24), fill: '#f2b84b', opacity: 0.3 },
    { shape: outline(circle(0.5, 0.24, 0.09), 0.035), fill: '#d9dcf5' },
    { shape: box(0.5, 0.5, 0.26, 0.32, 0.06), fill: '#ffe6a3', fillBelow: '#f09a3e' },
    { shape: box(0.5, 0.32, 0.34, 0.05, 0.02), fill: '#d9dcf5' },
    { shape: box(0.5, 0.68, 0.34, 0.05, 0.02), fill: '#d9dcf5' },
    { shape: onTile(outline(circle(0.25, 1.08, 0.25), 0.03)), fill: '#4b5fd0' },
    { shape: onTile(outline(circle(0.75, 1.08, 0.25), 0.03)), fill: '#4b5fd0' },
  ],
  saltmarsh: [
    background('#3f7f8f', '#1d4552'),
    ...[0.36, 0.5, 0.64].flatMap((at) => [
      { shape: box(at, 0.5, 0.05, 0.66, 0.02), fill: '#d7e6ea' },
      { shape: box(0.5, at, 0.66, 0.05, 0.02), fill: '#d7e6ea' },
    ]),
    { shape: box(0.5, 0.5, 0.46, 0.46, 0.06), fill: '#12303a' },
    { shape: outline(circle(0.5, 0.58, 0.15), 0.035), fill: '#7fd6c2', opacity: 0.75 },
    { shape: circle(0.5, 0.58, 0.06), fill: '#7fd6c2' },
  ],
  plover: [
    background('#3a3f47', '#1c1f24'),
    { shape: line([0.24, 0.34], [0.42, 0.5], 0.085), fill: '#8fe388' },
    { shape: line([0.42, 0.5], [0.24, 0.66], 0.085), fill: '#8fe388' },
    { shape: box(0.64, 0.67, 0.26, 0.075, 0.03), fill: '#e8eaed' },
  ],
  kiosk: [
    background('#f0f2f5', '#d8dde5'),
    { shape: box(0.5, 0.44, 0.4, 0.5, 0.04), fill: '#47536b' },
    { shape: box(0.5, 0.82, 0.44, 0.06, 0.02), fill: '#47536b' },
  ],
} as const satisfies Record<string, readonly Layer[]>

export type IconName = keyof typeof drawings

/** Returns the icon as a PNG image with a transparent background. */
export const drawIcon = (name: IconName, size = 256): Buffer => drawPng(size, drawings[name])
