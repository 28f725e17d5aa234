import { slice } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import { InspectionError, type Icon } from '../inspection.ts'
import { writePng } from '../png-chunks.ts'

const maxPixels = 256

/** Returns the IDs of the images in an icon group, the largest image with the most colors first. */
export function imagesInGroup(group: Buffer): number[] {
  const count = group.readUInt16LE(4)
  const images = Array.from({ length: count }, (_, index) => {
    const entry = slice(group, 6 + index * 14, 14)
    // A width of 0 stands for 256 pixels.
    return { width: entry.readUInt8(0) || maxPixels, bits: entry.readUInt16LE(6), id: entry.readUInt16LE(12) }
  })
  return images.toSorted((a, b) => b.width - a.width || b.bits - a.bits).map(({ id }) => id)
}

/** Returns an image of an icon as PNG, or null if it is neither PNG nor a bitmap with 32 bits per pixel. */
export function readIconImage(bytes: Buffer): Icon | null {
  return readIcon(bytes) ?? readBitmap(bytes)
}

/**
 * Reads a device-independent bitmap, which has rows from the bottom and blue before red. Its height includes a second
 * bitmap that masks pixels, which is not needed if the pixels have an alpha channel.
 */
function readBitmap(bytes: Buffer): Icon | null {
  const headerBytes = bytes.readUInt32LE(0)
  const width = bytes.readInt32LE(4)
  const height = bytes.readInt32LE(8) / 2
  const isSupported = headerBytes >= 40 && bytes.readUInt16LE(14) === 32 && bytes.readUInt32LE(16) === 0
  if (!isSupported) return null
  if (width < 1 || height < 1 || width > maxPixels || height > maxPixels || !Number.isInteger(height))
    throw new InspectionError('The icon is damaged.')
  const rows = slice(bytes, headerBytes, width * height * 4)
  const pixels = Buffer.alloc(rows.length)
  for (let row = 0; row < height; row++)
    rows.copy(pixels, row * width * 4, (height - 1 - row) * width * 4, (height - row) * width * 4)
  pixels.swap32()
  // Swapping the bytes of a pixel gives alpha, red, green and blue.
  for (let at = 0; at < pixels.length; at += 4) pixels.writeUInt32BE(rotate(pixels.readUInt32BE(at)), at)
  return readIcon(writePng(width, height, pixels))
}

/** Moves the alpha byte from the front to the end. */
const rotate = (pixel: number): number => ((pixel << 8) | (pixel >>> 24)) >>> 0
