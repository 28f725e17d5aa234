import { decompress, type Compression } from '../archives/decompress.ts'
import { parseOr, readBytes, readUint64, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'
import { dictionaryOf } from './plist-value.ts'
import { maxPlistBytes, readPlist } from './plist.ts'

export const damagedImage = 'The disk image is damaged.'
export const trailerBytes = 512

const sectorBytes = 512
const maxChunks = 500_000
/** hdiutil writes chunks of up to 1 MiB. */
const maxChunkBytes = 16 * 2 ** 20
const maxCachedChunks = 8

const chunkType = { zeros: 0, raw: 1, ignored: 2, comment: 0x7ffffffe, end: 0xffffffff }
const compressions: Readonly<Record<number, Compression>> = { 0x80000005: 'zlib', 0x80000008: 'xz' }

type Range = { offset: number; sizeBytes: number }
type Chunk = { type: number; start: number; sizeBytes: number; offset: number; storedBytes: number }

/** A disk image: the partitions it contains, and access to the bytes of the disk. */
export type DiskImage = {
  disk: ByteSource
  /** The offsets of the partitions on the disk. */
  partitions: number[]
  signature: Range | undefined
}

/** Returns whether these are the last bytes of a disk image. */
export const isTrailer = (bytes: Buffer): boolean =>
  bytes.length === trailerBytes &&
  bytes.toString('latin1', 0, 4) === 'koly' &&
  bytes.readUInt32BE(8) === trailerBytes

/** Opens a disk image of macOS (UDIF): compressed chunks, whose positions a property list contains, and a trailer. */
export async function openDiskImage(source: ByteSource): Promise<DiskImage> {
  const trailer = await readBytes(source, source.sizeBytes - trailerBytes, trailerBytes, damagedImage)
  const at = (offset: number) => parseOr(damagedImage, () => readUint64(trailer, offset, 'BE'))
  if (!isTrailer(trailer) || at(224) > maxPlistBytes) throw new InspectionError(damagedImage)
  const plist = readPlist(await readBytes(source, at(216), at(224), damagedImage))
  const tables = dictionaryOf(plist, 'resource-fork')?.get('blkx')
  const blocks = (Array.isArray(tables) ? tables : []).flatMap((table) => {
    const data = table instanceof Map ? table.get('Data') : undefined
    return Buffer.isBuffer(data) ? [parseOr(damagedImage, () => readTable(data))] : []
  })
  const chunks = blocks.flatMap(({ chunks: found }) => found).toSorted((a, b) => a.start - b.start)
  if (chunks.length > maxChunks) throw new InspectionError(damagedImage)
  return {
    disk: diskOf(source, chunks, at(24)),
    partitions: blocks.map(({ start }) => start),
    signature: at(304) === 0 ? undefined : { offset: at(296), sizeBytes: at(304) },
  }
}

/** Reads a table of chunks ("mish"), whose numbers are big-endian and count sectors. */
function readTable(bytes: Buffer): { start: number; chunks: Chunk[] } {
  if (bytes.toString('latin1', 0, 4) !== 'mish') throw new InspectionError(damagedImage)
  const start = readUint64(bytes, 8, 'BE')
  const count = bytes.readUInt32BE(200)
  if (count > maxChunks) throw new InspectionError(damagedImage)
  const chunks: Chunk[] = []
  for (let index = 0; index < count; index++) {
    const entry = slice(bytes, 204 + index * 40, 40)
    const type = entry.readUInt32BE(0)
    if (type === chunkType.comment || type === chunkType.end) continue
    chunks.push({
      type,
      start: (start + readUint64(entry, 8, 'BE')) * sectorBytes,
      sizeBytes: readUint64(entry, 16, 'BE') * sectorBytes,
      offset: readUint64(entry, 24, 'BE'),
      storedBytes: readUint64(entry, 32, 'BE'),
    })
  }
  return { start: start * sectorBytes, chunks }
}

function diskOf(source: ByteSource, chunks: readonly Chunk[], dataOffset: number): ByteSource {
  const cache = new Map<Chunk, Buffer>()
  const unpack = async (chunk: Chunk): Promise<Buffer> => {
    const { type, offset, storedBytes, sizeBytes } = chunk
    const compression = compressions[type]
    if (compression === undefined)
      throw new InspectionError('The disk image is compressed with an unsupported method.')
    if (Math.max(sizeBytes, storedBytes) > maxChunkBytes) throw new InspectionError(damagedImage)
    const stored = await readBytes(source, dataOffset + offset, storedBytes, damagedImage)
    const bytes = await decompress(stored, compression, { maxBytes: sizeBytes, reason: damagedImage })
    if (bytes.length !== sizeBytes) throw new InspectionError(damagedImage)
    return bytes
  }
  const readChunk = async (chunk: Chunk, at: number, length: number): Promise<Buffer> => {
    if (chunk.type === chunkType.zeros || chunk.type === chunkType.ignored) return Buffer.alloc(length)
    if (chunk.type === chunkType.raw)
      return readBytes(source, dataOffset + chunk.offset + at, length, damagedImage)
    const bytes = cache.get(chunk) ?? (await unpack(chunk))
    cache.delete(chunk)
    cache.set(chunk, bytes)
    const [oldest] = cache.keys()
    if (cache.size > maxCachedChunks && oldest !== undefined) cache.delete(oldest)
    return slice(bytes, at, length)
  }
  const last = chunks.at(-1)
  return {
    sizeBytes: last === undefined ? 0 : last.start + last.sizeBytes,
    async read(offset, length) {
      const parts: Buffer[] = []
      for (let position = offset; position < offset + length;) {
        const chunk = findChunk(chunks, position)
        if (chunk === undefined) throw new InspectionError(damagedImage)
        const count = Math.min(offset + length, chunk.start + chunk.sizeBytes) - position
        parts.push(await readChunk(chunk, position - chunk.start, count))
        position += count
      }
      return Buffer.concat(parts)
    },
  }
}

/** Finds the chunk that contains a position by binary search. */
function findChunk(chunks: readonly Chunk[], position: number): Chunk | undefined {
  let [low, high] = [0, chunks.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((chunks[middle]?.start ?? 0) <= position) low = middle + 1
    else high = middle
  }
  const chunk = chunks[low - 1]
  return chunk !== undefined && position < chunk.start + chunk.sizeBytes ? chunk : undefined
}
