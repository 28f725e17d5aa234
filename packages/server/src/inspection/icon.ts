import { BrokenImage } from './images/broken-image.ts'
import { hasIconSize, maxIconBytes, readImage } from './images/image.ts'
import type { Icon } from './inspection.ts'

/** Returns the image as an icon, or null if it is incomplete or exceeds the limits for uploaded icons. */
export function readIcon(bytes: Buffer): Icon | null {
  if (bytes.length > maxIconBytes) return null
  try {
    const image = readImage(bytes)
    if (image === undefined || !hasIconSize(image)) return null
    return { media_type: image.type, base64: bytes.toString('base64') }
  } catch (error) {
    if (error instanceof BrokenImage || error instanceof RangeError) return null
    throw error
  }
}
