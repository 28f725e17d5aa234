import { inflateRawSync } from 'node:zlib'
import { InspectionError } from '../inspection.ts'
import { readChunks, writePng } from '../png-chunks.ts'

/** The width and height of the largest icon of an application, which is shown in the App Store. */
const maxPixels = 1024
const bytesPerPixel = 4
const damaged = 'The icon is damaged.'

/**
 * Converts an image in the CgBI format of Xcode to standard PNG. CgBI images have no zlib header and premultiplied BGRA
 * pixels, so browsers cannot display them. Returns other images unchanged.
 */
export function standardPng(png: Buffer): Buffer {
  const chunks = readChunks(png)
  if (chunks?.[0]?.type !== 'CgBI') return png
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  if (header?.length !== 13) throw new InspectionError(damaged)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [bitDepth, colorType, , , interlace] = header.subarray(8)
  const isSupported = bitDepth === 8 && colorType === 6 && interlace === 0
  if (!isSupported || width < 1 || height < 1 || Math.max(width, height) > maxPixels)
    throw new InspectionError('The icon has an unsupported format.')
  const compressed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const pixels = removeFilters(inflate(compressed, height * (width * bytesPerPixel + 1)), width, height)
  convertPixels(pixels)
  return writePng(width, height, pixels)
}

function inflate(compressed: Buffer, length: number): Buffer {
  try {
    const rows = inflateRawSync(compressed, { maxOutputLength: length })
    if (rows.length === length) return rows
  } catch (error) {
    throw new InspectionError(damaged, { cause: error })
  }
  throw new InspectionError(damaged)
}

/** Reverses the filter of each row (W3C PNG, section 9). The first byte of a row is the type of its filter. */
function removeFilters(rows: Buffer, width: number, height: number): Buffer {
  const rowBytes = width * bytesPerPixel
  const pixels = Buffer.alloc(height * rowBytes)
  for (let row = 0; row < height; row++) {
    const filter = rows[row * (rowBytes + 1)] ?? 0
    if (filter > 4) throw new InspectionError(damaged)
    for (let column = 0; column < rowBytes; column++) {
      const at = row * rowBytes + column
      const left = column < bytesPerPixel ? 0 : (pixels[at - bytesPerPixel] ?? 0)
      const above = row === 0 ? 0 : (pixels[at - rowBytes] ?? 0)
      const aboveLeft = row === 0 || column < bytesPerPixel ? 0 : (pixels[at - rowBytes - bytesPerPixel] ?? 0)
      const predicted = predict(filter, left, above, aboveLeft)
      pixels[at] = (rows[row * (rowBytes + 1) + 1 + column] ?? 0) + predicted
    }
  }
  return pixels
}

function predict(filter: number, left: number, above: number, aboveLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const estimate = left + above - aboveLeft
  const distances = [left, above, aboveLeft].map((value) => Math.abs(estimate - value))
  const [toLeft = 0, toAbove = 0, toAboveLeft = 0] = distances
  if (toLeft <= toAbove && toLeft <= toAboveLeft) return left
  return toAbove <= toAboveLeft ? above : aboveLeft
}

/** Converts premultiplied BGRA pixels to RGBA pixels in place. */
function convertPixels(pixels: Buffer): void {
  for (let at = 0; at < pixels.length; at += bytesPerPixel) {
    const [blue = 0, green = 0, red = 0, alpha = 0] = pixels.subarray(at, at + bytesPerPixel)
    const scale = (value: number) => (alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha)))
    pixels[at] = scale(red)
    pixels[at + 1] = scale(green)
    pixels[at + 2] = scale(blue)
  }
}
