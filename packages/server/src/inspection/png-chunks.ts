import { crc32, deflateSync } from 'node:zlib'
import { slice } from './bytes.ts'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

type Chunk = { type: string; data: Buffer }

/**
 * Returns the chunks of a PNG file, or undefined for other files. Throws a RangeError if a chunk is truncated. Does not
 * verify the checksums.
 */
export function readChunks(png: Buffer): Chunk[] | undefined {
  if (!png.subarray(0, 8).equals(signature)) return undefined
  const chunks: Chunk[] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: slice(png, at + 8, length) })
    at += length + 12
    if (type === 'IEND') break
  }
  return chunks
}

/** Encodes RGBA pixels, which are stored row by row from the top, as a PNG file. */
export function writePng(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const rowBytes = width * 4
  const rows = Buffer.alloc(height * (rowBytes + 1))
  for (let row = 0; row < height; row++)
    pixels.copy(rows, row * (rowBytes + 1) + 1, row * rowBytes, (row + 1) * rowBytes)
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}
