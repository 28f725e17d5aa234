import { BrokenImage } from '../formats/broken-image.ts'
import { readImage } from '../formats/image.ts'
import type { Icon } from './inspection.ts'

/** The limits are the same as for uploaded icons. */
export const maxIconBytes = 512 * 1024
const [minPixels, maxPixels] = [16, 2048]

/** Returns the image as an icon, or null if it is incomplete or exceeds the limits. */
export function readIcon(bytes: Buffer): Icon | null {
  if (bytes.length > maxIconBytes) return null
  try {
    const image = readImage(bytes)
    if (image === undefined) return null
    const { width, height } = image
    if (Math.min(width, height) < minPixels || Math.max(width, height) > maxPixels) return null
    return { media_type: image.type, base64: bytes.toString('base64') }
  } catch (error) {
    if (error instanceof BrokenImage || error instanceof RangeError) return null
    throw error
  }
}
