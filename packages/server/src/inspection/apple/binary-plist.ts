import { parseOr, readUint64, slice } from '../bytes.ts'
import { InspectionError } from '../inspection.ts'
import { maxPlistDepth, maxPlistValues, type PlistValue } from './plist-value.ts'

const damaged = 'A binary property list is damaged.'
const trailerBytes = 32
/** Apple's epoch, 2001-01-01, in Unix time. */
const appleEpochSeconds = 978_307_200

type Layout = {
  bytes: Buffer
  offsets: (index: number) => number
  referenceBytes: number
  objectCount: number
  /** Counts items of collections and characters of strings. Throws if there are too many. */
  claim: (count: number) => void
}

/**
 * Returns the root object of a binary property list (CFBinaryPList.c). Reads each object once: objects can be
 * referenced repeatedly, so expanding every reference could take exponential time.
 */
export function readBinaryPlist(bytes: Buffer): PlistValue {
  return parseOr(damaged, () => {
    const { layout, root } = readTrailer(bytes)
    const known = new Map<number, PlistValue>()
    const open = new Set<number>()

    const read = (index: number): PlistValue => {
      const value = known.get(index)
      if (value !== undefined) return value
      if (index >= layout.objectCount) throw new RangeError('The object does not exist.')
      if (open.has(index)) throw new InspectionError('A binary property list contains a circular reference.')
      if (open.size >= maxPlistDepth) throw new InspectionError('A property list is nested too deeply.')
      if (known.size >= maxPlistValues) throw new InspectionError('A property list has too many values.')
      open.add(index)
      const result = readObject(layout, layout.offsets(index), read)
      open.delete(index)
      known.set(index, result)
      return result
    }
    return read(root)
  })
}

function readTrailer(bytes: Buffer): { layout: Layout; root: number } {
  const trailer = slice(bytes, bytes.length - trailerBytes, trailerBytes)
  const offsetBytes = trailer.readUInt8(6)
  const referenceBytes = trailer.readUInt8(7)
  const objectCount = readUint64(trailer, 8, 'BE')
  const root = readUint64(trailer, 16, 'BE')
  const tableOffset = readUint64(trailer, 24, 'BE')
  if (offsetBytes < 1 || offsetBytes > 6 || referenceBytes < 1 || referenceBytes > 6)
    throw new InspectionError(damaged)
  const table = slice(bytes, tableOffset, objectCount * offsetBytes)
  const offsets = (index: number) => table.readUIntBE(index * offsetBytes, offsetBytes)
  // Objects can overlap, so without a limit, many objects could contain the same long list.
  let remaining = bytes.length
  const claim = (count: number) => {
    remaining -= count
    if (remaining < 0) throw new InspectionError('A binary property list contains overlapping objects.')
  }
  const layout = { bytes: bytes.subarray(0, tableOffset), offsets, referenceBytes, objectCount, claim }
  return { layout, root }
}

function readObject(layout: Layout, offset: number, read: (index: number) => PlistValue): PlistValue {
  const { bytes } = layout
  const marker = bytes.readUInt8(offset)
  const kind = marker >> 4
  const low = marker & 0x0f
  if (kind === 0x0) return low === 9
  if (kind === 0x1) return readInteger(bytes, offset + 1, 2 ** low)
  if (kind === 0x2) return low === 2 ? bytes.readFloatBE(offset + 1) : bytes.readDoubleBE(offset + 1)
  if (kind === 0x3) return new Date((bytes.readDoubleBE(offset + 1) + appleEpochSeconds) * 1000)
  if (kind === 0x8) return readInteger(bytes, offset + 1, low + 1)

  const { count, start } = readCount(bytes, offset, low)
  layout.claim(count)
  if (kind === 0x4) return slice(bytes, start, count)
  if (kind === 0x5) return slice(bytes, start, count).toString('latin1')
  if (kind === 0x6)
    return Buffer.from(slice(bytes, start, count * 2))
      .swap16()
      .toString('utf16le')
  const references = (first: number) => {
    const list = slice(bytes, start + first * layout.referenceBytes, count * layout.referenceBytes)
    return (position: number) =>
      read(list.readUIntBE(position * layout.referenceBytes, layout.referenceBytes))
  }
  if (kind === 0xa || kind === 0xb || kind === 0xc) {
    const item = references(0)
    return Array.from({ length: count }, (_, position) => item(position))
  }
  if (kind !== 0xd) throw new InspectionError(damaged)
  const key = references(0)
  const value = references(count)
  const dictionary = new Map<string, PlistValue>()
  for (let position = 0; position < count; position++) {
    const name = key(position)
    if (typeof name !== 'string') throw new InspectionError(damaged)
    dictionary.set(name, value(position))
  }
  return dictionary
}

/** Returns the number of items and their offset. A count of 15 or more is an integer object after the marker. */
function readCount(bytes: Buffer, offset: number, low: number): { count: number; start: number } {
  if (low < 0x0f) return { count: low, start: offset + 1 }
  const marker = bytes.readUInt8(offset + 1)
  if (marker >> 4 !== 0x1) throw new InspectionError(damaged)
  const length = 2 ** (marker & 0x0f)
  return { count: readInteger(bytes, offset + 2, length), start: offset + 2 + length }
}

/** Returns an unsigned integer of 1, 2 or 4 bytes or a signed one of 8 or 16 bytes. */
function readInteger(bytes: Buffer, offset: number, length: number): number {
  if (length <= 6) return bytes.readUIntBE(offset, length)
  if (length > 16) throw new InspectionError(damaged)
  return Number(bytes.readBigInt64BE(offset + length - 8))
}
