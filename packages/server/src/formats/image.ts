import { BrokenImage, type Size } from './broken-image.ts'
import { readJpeg } from './jpeg.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

export type Image = Size & { type: ImageType }

const readers: [ImageType, (bytes: Buffer) => Size | undefined][] = [
  ['image/png', readPng],
  ['image/jpeg', readJpeg],
  ['image/webp', readWebp],
]

/**
 * Type and size of an image, by its own words; undefined where the bytes begin as none that is known. Throws
 * `BrokenImage` for one that is cut off, has something behind its end, or says nothing sensible.
 */
export function readImage(bytes: Buffer): Image | undefined {
  for (const [type, read] of readers) {
    const size = read(bytes)
    if (size === undefined) continue
    if (size.width === 0 || size.height === 0) throw new BrokenImage('has no size')
    return { type, ...size }
  }
  return undefined
}
