import { parseOr, readBytes, readUint64, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'

const damaged = 'The RPM package is damaged.'
const headerMagic = 0x8eade801
const introBytes = 16
const entryBytes = 16
/** A header lists all files of a package. rpm accepts headers of up to 256 MiB. */
const maxHeaderBytes = 64 * 2 ** 20

const type = { int16: 3, int32: 4, int64: 5, string: 6, binary: 7, strings: 8, i18nString: 9 }

/** A header structure. The functions return the value of a tag, or undefined or an empty list if it is missing. */
export type RpmTags = {
  text: (tag: number) => string | undefined
  number: (tag: number) => number | undefined
  texts: (tag: number, maxCount: number) => string[]
  numbers: (tag: number, maxCount: number) => number[]
  binary: (tag: number) => Buffer | undefined
  endOffset: number
}

type Entry = { kind: number; offset: number; count: number }

/** Reads a header structure: an index of tags and their values. */
export async function readRpmHeader(source: ByteSource, offset: number): Promise<RpmTags> {
  const intro = await readBytes(source, offset, introBytes, damaged)
  const indexBytes = intro.readUInt32BE(8) * entryBytes
  const valueBytes = intro.readUInt32BE(12)
  if (intro.readUInt32BE(0) !== headerMagic || indexBytes + valueBytes > maxHeaderBytes)
    throw new InspectionError(damaged)
  const bytes = await readBytes(source, offset + introBytes, indexBytes + valueBytes, damaged)
  const values = bytes.subarray(indexBytes)
  const entries = readIndex(bytes.subarray(0, indexBytes))
  const valueOf =
    <T>(read: (values: Buffer, entry: Entry) => T) =>
    (tag: number) =>
      parseOr(damaged, () => {
        const entry = entries.get(tag)
        return entry && read(values, entry)
      })
  const listOf =
    <T>(read: (values: Buffer, entry: Entry, maxCount: number) => T[]) =>
    (tag: number, maxCount: number) =>
      valueOf((found, entry) => read(found, entry, maxCount))(tag) ?? []
  return {
    endOffset: offset + introBytes + bytes.length,
    text: valueOf(readText),
    number: valueOf((found, entry) => readNumbers(found, entry, 1)[0]),
    texts: listOf(readTexts),
    numbers: listOf(readNumbers),
    binary: valueOf(readBinary),
  }
}

/** Returns the first entry of each tag. */
function readIndex(index: Buffer): Map<number, Entry> {
  const entries = new Map<number, Entry>()
  for (let at = 0; at < index.length; at += entryBytes) {
    const tag = index.readUInt32BE(at)
    if (!entries.has(tag))
      entries.set(tag, {
        kind: index.readUInt32BE(at + 4),
        offset: index.readUInt32BE(at + 8),
        count: index.readUInt32BE(at + 12),
      })
  }
  return entries
}

function readText(values: Buffer, entry: Entry): string | undefined {
  if (entry.kind === type.int32) return String(values.readUInt32BE(entry.offset))
  return entry.kind === type.string || entry.kind === type.i18nString
    ? readTexts(values, entry, 1)[0]
    : undefined
}

function readTexts(values: Buffer, { kind, offset, count }: Entry, maxCount: number): string[] {
  if (kind !== type.string && kind !== type.strings && kind !== type.i18nString) return []
  const texts: string[] = []
  for (let at = offset; texts.length < Math.min(count, maxCount);) {
    const end = values.indexOf(0, at)
    texts.push(slice(values, at, end - at).toString('utf8'))
    at = end + 1
  }
  return texts
}

function readNumbers(values: Buffer, { kind, offset, count }: Entry, maxCount: number): number[] {
  const sizes: Readonly<Record<number, number>> = { [type.int16]: 2, [type.int32]: 4, [type.int64]: 8 }
  const size = sizes[kind]
  if (size === undefined) return []
  return Array.from({ length: Math.min(count, maxCount) }, (_, index) => {
    const at = offset + index * size
    if (size === 8) return readUint64(values, at, 'BE')
    return size === 4 ? values.readUInt32BE(at) : values.readUInt16BE(at)
  })
}

function readBinary(values: Buffer, { kind, offset, count }: Entry): Buffer | undefined {
  return kind === type.binary ? slice(values, offset, count) : undefined
}
