import { BrokenImage, type Size } from './broken-image.ts'

const startOfScan = 0xda
const endOfImage = 0xd9

/**
 * Returns the size of a JPEG image (ITU-T T.81, annex B), or undefined for other data. Throws `BrokenImage`. A JPEG
 * file consists of segments, each with a marker and a length; the frame header contains the size.
 */
export function readJpeg(bytes: Buffer): Size | undefined {
  if (!isJpeg(bytes)) return undefined
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xff00 + endOfImage) throw new BrokenImage('is truncated')
  return readJpegSize(bytes)
}

export const isJpeg = (bytes: Buffer): boolean => bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xffd8ff

/** Returns the size of a JPEG image, which may be truncated or followed by other data. Throws `BrokenImage`. */
export function readJpegSize(bytes: Buffer): Size {
  let size: Size | undefined
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) throw new BrokenImage('is corrupted')
    const marker = bytes.readUInt8(at + 1)
    // Fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === startOfScan) {
      if (size === undefined) throw new BrokenImage('does not declare its dimensions')
      return size
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2 || at + 2 + length > bytes.length) throw new BrokenImage('is corrupted')
    if (isFrameHeader(marker)) {
      if (size !== undefined || length < 8) throw new BrokenImage('is corrupted')
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += 2 + length
  }
  throw new BrokenImage('contains no image data')
}

/**
 * Returns whether the marker is a frame header (SOF0 to SOF15). DHT (C4), JPG (C8) and DAC (CC) are in the same range
 * but are not frame headers.
 */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
