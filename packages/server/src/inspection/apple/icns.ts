import { slice } from '../bytes.ts'
import { readIcon } from '../icon.ts'
import type { Icon } from '../inspection.ts'

const maxImages = 64

/** Returns the largest PNG image in an Apple icon file, or null. Old files contain only other formats. */
export function readIcns(bytes: Buffer): Icon | null {
  if (bytes.toString('latin1', 0, 4) !== 'icns') return null
  const images: Buffer[] = []
  for (let at = 8; at + 8 <= bytes.length && images.length < maxImages;) {
    const length = bytes.readUInt32BE(at + 4)
    if (length < 8) break
    images.push(slice(bytes, at + 8, length - 8))
    at += length
  }
  for (const image of images.toSorted((a, b) => b.length - a.length)) {
    const icon = readIcon(image)
    if (icon !== null) return icon
  }
  return null
}
