import { slice } from '../bytes.ts'

export const stringPoolType = 0x0001
const utf8Flag = 0x100

/** Returns the string at an index. Throws a RangeError if it does not exist. */
export type StringPool = (index: number) => string

/** Reads a ResStringPool chunk (ResourceTypes.h). */
export function readStringPool(chunk: Buffer): StringPool {
  const headerBytes = chunk.readUInt16LE(2)
  const count = chunk.readUInt32LE(8)
  const isUtf8 = (chunk.readUInt32LE(16) & utf8Flag) !== 0
  const offsets = slice(chunk, headerBytes, count * 4)
  const strings = chunk.subarray(chunk.readUInt32LE(20))
  return (index) => {
    const offset = offsets.readUInt32LE(index * 4)
    return isUtf8 ? readUtf8(strings, offset) : readUtf16(strings, offset)
  }
}

/** Reads a string that follows its lengths in UTF-16 units and in bytes. Lengths above 127 take two bytes. */
function readUtf8(strings: Buffer, offset: number): string {
  const lengthOffset = offset + (strings.readUInt8(offset) & 0x80 ? 2 : 1)
  const first = strings.readUInt8(lengthOffset)
  const isLong = (first & 0x80) !== 0
  const length = isLong ? ((first & 0x7f) << 8) | strings.readUInt8(lengthOffset + 1) : first
  return slice(strings, lengthOffset + (isLong ? 2 : 1), length).toString('utf8')
}

/** Reads a string that follows its length in UTF-16 units. Lengths above 32767 take four bytes. */
function readUtf16(strings: Buffer, offset: number): string {
  const first = strings.readUInt16LE(offset)
  const isLong = (first & 0x8000) !== 0
  const length = isLong ? (first & 0x7fff) * 2 ** 16 + strings.readUInt16LE(offset + 2) : first
  return slice(strings, offset + (isLong ? 4 : 2), length * 2).toString('utf16le')
}
