import { parseOr, slice } from '../bytes.ts'
import { InspectionError } from '../inspection.ts'
import {
  limitLookups,
  type ResourceConfiguration,
  type ResourceTable,
  type ResourceVariant,
} from './resources.ts'
import { readStringPool, stringPoolType, type StringPool } from './string-pool.ts'
import { readValue, valueOf } from './typed-value.ts'

const chunkType = { table: 0x0002, package: 0x0200, type: 0x0201 } as const
const typeFlag = { sparse: 0x01, shortOffsets: 0x02 } as const
const entryFlag = { complex: 0x0001, compact: 0x0008 } as const
const noEntry = 0xffffffff
const maxTypes = 20_000

/** The values of one resource type in one configuration. */
type TypeChunk = { configuration: ResourceConfiguration; chunk: Buffer }

/** Reads the index of a resources.arsc file (ResTable in ResourceTypes.h). Values are decoded when they are looked up. */
export function readResourceTable(bytes: Buffer): ResourceTable {
  const reason = 'The resource table is damaged.'
  const { strings, types } = parseOr(reason, () => readIndex(bytes))
  return limitLookups((id) =>
    parseOr(reason, () =>
      (types.get(id >>> 16) ?? []).flatMap(({ configuration, chunk }): ResourceVariant[] => {
        const value = readEntry(chunk, id & 0xffff, strings)
        return value === undefined ? [] : [{ configuration, value }]
      }),
    ),
  )
}

function readIndex(bytes: Buffer): { strings: StringPool; types: Map<number, TypeChunk[]> } {
  if (bytes.readUInt16LE(0) !== chunkType.table) throw new RangeError('The chunk has an unexpected type.')
  let strings: StringPool | undefined
  let count = 0
  const types = new Map<number, TypeChunk[]>()
  for (const chunk of chunksOf(bytes)) {
    const type = chunk.readUInt16LE(0)
    if (type === stringPoolType) strings ??= readStringPool(chunk)
    if (type !== chunkType.package) continue
    const packageId = chunk.readUInt32LE(8)
    for (const part of chunksOf(chunk)) {
      if (part.readUInt16LE(0) !== chunkType.type) continue
      if (++count > maxTypes) throw new InspectionError('The resource table is too large.')
      const key = packageId * 256 + part.readUInt8(8)
      const list = types.get(key)
      const found = { configuration: readConfiguration(part.subarray(20)), chunk: part }
      if (list === undefined) types.set(key, [found])
      else list.push(found)
    }
  }
  if (strings === undefined) throw new RangeError('The table has no strings.')
  return { strings, types }
}

/** Yields the chunks inside a chunk. */
function* chunksOf(parent: Buffer): Generator<Buffer> {
  for (let at = parent.readUInt16LE(2); at + 8 <= parent.length;) {
    const length = parent.readUInt32LE(at + 4)
    if (length < 8) throw new RangeError('The chunk is too short.')
    yield slice(parent, at, length)
    at += length
  }
}

function readConfiguration(bytes: Buffer): ResourceConfiguration {
  return {
    hasLocale: bytes.readUInt32LE(8) !== 0,
    density: bytes.readUInt16LE(14),
  }
}

function readEntry(chunk: Buffer, index: number, strings: StringPool): ReturnType<typeof readValue> {
  const offset = offsetOf(chunk, index)
  if (offset === undefined) return undefined
  const entry = chunk.subarray(chunk.readUInt32LE(16) + offset)
  const flags = entry.readUInt16LE(2)
  if (flags & entryFlag.compact) return valueOf(flags >> 8, entry.readUInt32LE(4), strings)
  if (flags & entryFlag.complex) return undefined
  return readValue(entry.subarray(entry.readUInt16LE(0)), strings)
}

function offsetOf(chunk: Buffer, index: number): number | undefined {
  const flags = chunk.readUInt8(9)
  const count = chunk.readUInt32LE(12)
  const offsets = chunk.subarray(chunk.readUInt16LE(2))
  if (flags & typeFlag.sparse) return sparseOffset(offsets, count, index)
  if (index >= count) return undefined
  if (flags & typeFlag.shortOffsets) {
    const offset = offsets.readUInt16LE(index * 2)
    return offset === 0xffff ? undefined : offset * 4
  }
  const offset = offsets.readUInt32LE(index * 4)
  return offset === noEntry ? undefined : offset
}

/** Returns the offset for an index from a list of indexes and offsets that is sorted by index. */
function sparseOffset(offsets: Buffer, count: number, index: number): number | undefined {
  let [low, high] = [0, count - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = offsets.readUInt16LE(middle * 4)
    if (found === index) return offsets.readUInt16LE(middle * 4 + 2) * 4
    if (found < index) low = middle + 1
    else high = middle - 1
  }
  return undefined
}
