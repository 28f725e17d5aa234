import { BrokenImage, type Size } from './broken-image.ts'

/**
 * Returns the size of a WebP image (RFC 9649), or undefined for other data. Throws `BrokenImage`. A WebP file consists
 * of RIFF chunks; the size is that of the VP8X canvas if there is one, otherwise of the single frame.
 */
export function readWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 12 || text(bytes, 0) !== 'RIFF' || text(bytes, 8) !== 'WEBP') return undefined
  const riffEnd = 8 + bytes.readUInt32LE(4)
  if (riffEnd > bytes.length) throw new BrokenImage('is truncated')
  if (riffEnd < bytes.length) throw new BrokenImage('has data after its end')
  let canvas: Size | undefined
  let frame: Size | undefined
  for (let at = 12; at + 8 <= riffEnd;) {
    const length = bytes.readUInt32LE(at + 4)
    const data = bytes.subarray(at + 8, at + 8 + length)
    if (data.length < length) throw new BrokenImage('is truncated')
    const kind = text(bytes, at)
    if (kind === 'VP8X') canvas = at === 12 ? canvasSize(data) : canvas
    else if (kind === 'VP8 ') frame ??= lossySize(data)
    else if (kind === 'VP8L') frame ??= losslessSize(data)
    else if (kind === 'ANMF') frame ??= canvas
    at += 8 + length + (length % 2)
  }
  if (frame === undefined) throw new BrokenImage('contains no image data')
  return canvas ?? frame
}

const text = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4)

function canvasSize(data: Buffer): Size {
  requireBytes(data, 10)
  return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
}

/**
 * Returns the size of a lossy frame (RFC 6386, section 9.1): a 3-byte frame tag and a 3-byte start code, then the width
 * and the height as 14 bits each, each followed by a 2-bit scale. Throws `BrokenImage`.
 */
function lossySize(data: Buffer): Size {
  requireBytes(data, 10)
  if (data.readUIntBE(3, 3) !== 0x9d012a) throw new BrokenImage('is corrupted')
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

/**
 * Returns the size of a lossless frame (RFC 9649, section 3.4): a signature byte, then width − 1 and height − 1 as 14
 * bits each. Throws `BrokenImage`.
 */
function losslessSize(data: Buffer): Size {
  requireBytes(data, 5)
  if (data[0] !== 0x2f) throw new BrokenImage('is corrupted')
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function requireBytes(data: Buffer, bytes: number): void {
  if (data.length < bytes) throw new BrokenImage('is corrupted')
}
