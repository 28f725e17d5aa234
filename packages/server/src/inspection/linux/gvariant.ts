import { slice } from '../bytes.ts'

const maxEntries = 1_000

/** The size of the offsets at the end of a container depends on the size of the container. */
function offsetBytes(containerBytes: number): number {
  if (containerBytes <= 0xff) return 1
  if (containerBytes <= 0xffff) return 2
  return containerBytes <= 0xffffffff ? 4 : 8
}

/** Returns an offset in the last bytes of a container. Throws a RangeError if it exceeds 2^48. */
export function readOffset(end: Buffer, containerBytes: number): number {
  const length = offsetBytes(containerBytes)
  if (length === 8 && end.readUInt16LE(end.length - 2) !== 0) throw new RangeError('The offset is too large.')
  return end.readUIntLE(end.length - length, Math.min(length, 6))
}

/** A value with its type, such as `s` for a string and `ay` for bytes. */
export type Variant = { type: string; content: Buffer }

/**
 * Reads a dictionary of type `a{sv}` in the serialization of GVariant
 * (https://docs.gtk.org/glib/gvariant-specification-1.0.html). Throws a RangeError if it is damaged.
 */
export function readDictionary(bytes: Buffer): Map<string, Variant> {
  const entries = new Map<string, Variant>()
  if (bytes.length === 0) return entries
  const size = offsetBytes(bytes.length)
  const tableAt = readOffset(bytes, bytes.length)
  const table = slice(bytes, tableAt, bytes.length - tableAt)
  if (table.length / size > maxEntries) throw new RangeError('The dictionary has too many entries.')
  let start = 0
  for (let at = 0; at + size <= table.length; at += size) {
    const end = table.readUIntLE(at, Math.min(size, 6))
    const entry = slice(bytes, start, end - start)
    const keyEnd = readOffset(entry, entry.length)
    const key = slice(entry, 0, keyEnd - 1).toString('utf8')
    entries.set(
      key,
      readVariant(slice(entry, align(keyEnd), entry.length - offsetBytes(entry.length) - align(keyEnd))),
    )
    start = align(end)
  }
  return entries
}

/** A variant is its content, a NUL byte and its type. */
function readVariant(bytes: Buffer): Variant {
  const separator = bytes.lastIndexOf(0)
  if (separator < 0) throw new RangeError('The value has no type.')
  return { type: bytes.toString('latin1', separator + 1), content: bytes.subarray(0, separator) }
}

const align = (offset: number): number => Math.ceil(offset / 8) * 8

/** Returns the text of a variant, which ends with a NUL byte, or undefined for other types. */
export const textIn = (variant: Variant | undefined): string | undefined =>
  variant?.type === 's' ? variant.content.toString('utf8').replace(/\0$/, '') : undefined

/** Returns the bytes of a variant, or undefined for other types. */
export const bytesIn = (variant: Variant | undefined): Buffer | undefined =>
  variant?.type === 'ay' ? variant.content : undefined
