import { BrokenImage, type Size } from './broken-image.ts'
import { readImage, type Image } from './image.ts'
import { isJpeg, readJpegSize } from './jpeg.ts'

export const maxScreenshotBytes = 8 * 1024 * 1024
/** The photos of current phones have up to 24 megapixels. */
const maxMegapixels = 25
export const screenshotType = 'image/jpeg'

/** A screenshot as it is stored: decoded and encoded again, so that it contains nothing but pixels. */
export type Screenshot = Size & { bytes: Buffer }

/**
 * Returns the type and size of an image that a visitor sent. Phones append videos and notes to JPEG images, so these may
 * be followed by other data. Throws `BrokenImage`.
 */
export function readScreenshot(bytes: Buffer): Image {
  const image: Image | undefined = isJpeg(bytes)
    ? { type: 'image/jpeg', ...readJpegSize(bytes) }
    : readImage(bytes)
  if (image === undefined) throw new BrokenImage('is not a PNG, JPEG or WebP image')
  const { width, height } = image
  if (width === 0 || height === 0) throw new BrokenImage('has a width or height of 0')
  if (width * height > maxMegapixels * 1e6) throw new BrokenImage('has too many pixels')
  return image
}
