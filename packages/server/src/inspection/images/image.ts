import { BrokenImage, type Size } from './broken-image.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

export const maxIconBytes = 512 * 1024
/** The length leaves room for `maxIconBytes` encoded in base64 with line breaks. */
export const maxIconBase64Length = 720_000
export const minIconPixels = 16
export const maxIconPixels = 2048

export const hasIconSize = ({ width, height }: Size): boolean =>
  Math.min(width, height) >= minIconPixels && Math.max(width, height) <= maxIconPixels

export type Image = Size & { type: ImageType }

const readers: [ImageType, (bytes: Buffer) => Size | undefined][] = [
  ['image/png', readPng],
  ['image/jpeg', readJpeg],
  ['image/webp', readWebp],
]

/**
 * Returns the type and size that an image declares, or undefined if the bytes do not have the signature of a supported
 * type. Throws `BrokenImage` if the image is truncated, malformed or followed by other data.
 */
export function readImage(bytes: Buffer): Image | undefined {
  for (const [type, read] of readers) {
    const size = read(bytes)
    if (size === undefined) continue
    if (size.width === 0 || size.height === 0) throw new BrokenImage('has a width or height of 0')
    return { type, ...size }
  }
  return undefined
}
