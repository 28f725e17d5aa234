import { BrokenImage, type Size } from './broken-image.ts'

const startOfScan = 0xda
const endOfImage = 0xd9

/** JPEG (ITU-T T.81, annex B): segments of a marker and their length, the size in the first frame header. */
export function readJpeg(bytes: Buffer): Size | undefined {
  if (bytes.length < 3 || bytes.readUIntBE(0, 3) !== 0xffd8ff) return undefined
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xff00 + endOfImage) throw new BrokenImage('is cut off')
  let size: Size | undefined
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) throw new BrokenImage('has a damaged part')
    const marker = bytes.readUInt8(at + 1)
    // fill bytes may precede a marker
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === startOfScan) {
      if (size === undefined) throw new BrokenImage('has no size')
      return size
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2 || at + 2 + length > bytes.length) throw new BrokenImage('has a damaged part')
    if (isFrameHeader(marker)) {
      if (size !== undefined || length < 8) throw new BrokenImage('has a damaged part')
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += 2 + length
  }
  throw new BrokenImage('has no pixels')
}

/** SOF0 … SOF15, without DHT (C4), JPG (C8) and DAC (CC) that stand among them. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
