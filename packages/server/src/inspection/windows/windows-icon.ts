import { slice } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import type { Icon } from '../inspection.ts'
import { writePng } from '../png-chunks.ts'
import { readBitmap } from './icon-bitmap.ts'

/** Returns the IDs of the images in an icon group, ordered by size and color depth, the best one first. */
export function imagesInGroup(group: Buffer): number[] {
  const count = group.readUInt16LE(4)
  const images = Array.from({ length: count }, (_, index) => {
    const entry = slice(group, 6 + index * 14, 14)
    // A width of 0 means 256 pixels.
    return { width: entry.readUInt8(0) || 256, bits: entry.readUInt16LE(6), id: entry.readUInt16LE(12) }
  })
  return images.toSorted((a, b) => b.width - a.width || b.bits - a.bits).map(({ id }) => id)
}

/** Returns an image of an icon as PNG, or null if it has an unsupported format. */
export function readIconImage(bytes: Buffer): Icon | null {
  const icon = readIcon(bytes)
  if (icon !== null) return icon
  const bitmap = readBitmap(bytes)
  return bitmap === undefined ? null : readIcon(writePng(bitmap.width, bitmap.height, bitmap.pixels))
}
