import { slice } from '../bytes.ts'

const maxPixels = 256
const supportedBits = new Set([1, 4, 8, 24, 32])

/** Pixels with red, green, blue and alpha bytes, in rows from the top. */
type Pixels = { width: number; height: number; pixels: Buffer }

/**
 * Reads the bitmap of an icon (BITMAPINFOHEADER in wingdi.h), whose rows start at the bottom and are padded to four
 * bytes. Its height includes a mask, in which a bit is set for each transparent pixel. Returns undefined if the format
 * is not supported. Throws a RangeError if the bitmap is truncated.
 */
export function readBitmap(bytes: Buffer): Pixels | undefined {
  const headerBytes = bytes.readUInt32LE(0)
  const width = bytes.readInt32LE(4)
  const height = bytes.readInt32LE(8) / 2
  const bits = bytes.readUInt16LE(14)
  const isCompressed = bytes.readUInt32LE(16) !== 0
  if (headerBytes < 40 || !supportedBits.has(bits) || isCompressed || !Number.isInteger(height))
    return undefined
  if (width < 1 || height < 1 || width > maxPixels || height > maxPixels) return undefined
  const paletteLength = bits > 8 ? 0 : bytes.readUInt32LE(32) || 2 ** bits
  const palette = slice(bytes, headerBytes, paletteLength * 4)
  const colorOffset = headerBytes + palette.length
  const colorRow = rowBytes(width, bits)
  const colors = slice(bytes, colorOffset, height * colorRow)
  const maskRow = rowBytes(width, 1)
  const mask = bytes.subarray(colorOffset + colors.length)
  const hasAlpha = bits === 32 && colors.some((byte, at) => at % 4 === 3 && byte !== 0)
  if (!hasAlpha) slice(mask, 0, height * maskRow)

  const pixels = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++) {
    const row = height - 1 - y
    for (let x = 0; x < width; x++) {
      const color =
        bits > 8
          ? bytesAt(colors, row * colorRow, x, bits / 8)
          : bytesAt(palette, 0, indexAt(colors, row * colorRow, x, bits), 4)
      const [blue = 0, green = 0, red = 0, ownAlpha = 0] = color
      const isTransparent = !hasAlpha && indexAt(mask, row * maskRow, x, 1) === 1
      pixels.set([red, green, blue, hasAlpha ? ownAlpha : isTransparent ? 0 : 255], (y * width + x) * 4)
    }
  }
  return { width, height, pixels }
}

const rowBytes = (width: number, bits: number): number => Math.ceil((width * bits) / 32) * 4

const bytesAt = (bytes: Buffer, offset: number, index: number, length: number): Buffer =>
  slice(bytes, offset + index * length, length)

/** Returns the value of 1, 4 or 8 bits at an index. The highest bits of a byte come first. */
function indexAt(bytes: Buffer, offset: number, index: number, bits: number): number {
  const bit = index * bits
  const byte = bytes.readUInt8(offset + Math.floor(bit / 8))
  return (byte >> (8 - bits - (bit % 8))) & (2 ** bits - 1)
}
