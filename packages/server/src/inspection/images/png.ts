import { crc32 } from 'node:zlib'
import { BrokenImage, type Size } from './broken-image.ts'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * Returns the size of a PNG image (W3C PNG, third edition, section 5), or undefined for other data. Throws
 * `BrokenImage`. A PNG file consists of chunks from IHDR to IEND, each with a length, type, data and CRC.
 */
export function readPng(bytes: Buffer): Size | undefined {
  if (!bytes.subarray(0, 8).equals(signature)) return undefined
  let size: Size | undefined
  let hasPixels = false
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) break
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw new BrokenImage('is corrupted')
    if ((size === undefined) !== (type === 'IHDR')) throw new BrokenImage('does not start with a PNG header')
    if (type === 'IHDR') size = headerSize(bytes, at + 8, length)
    if (type === 'IDAT') hasPixels = true
    if (type === 'IEND') {
      if (size === undefined || !hasPixels) throw new BrokenImage('contains no image data')
      if (end !== bytes.length) throw new BrokenImage('has data after its end')
      return size
    }
    at = end
  }
  throw new BrokenImage('is truncated')
}

function headerSize(bytes: Buffer, at: number, length: number): Size {
  if (length !== 13) throw new BrokenImage('does not start with a PNG header')
  return { width: bytes.readUInt32BE(at), height: bytes.readUInt32BE(at + 4) }
}
