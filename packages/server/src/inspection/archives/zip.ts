import { constants, crc32, inflateRawSync, type ZlibOptions } from 'node:zlib'
import { fromRandomAccessReaderPromise, getFileNameLowLevel, validateFileName, type ZipFile } from 'yauzl'
import { cleanText, readBytes } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'
import { inflateStream } from './inflate-stream.ts'
import { WindowedReader } from './windowed-reader.ts'

const maxEntries = 200_000
const maxNameBytes = 32 * 2 ** 20
const maxInflatedBytes = 256 * 2 ** 20
/** XML compresses up to about 50:1. Files below `minRatioBytes` may have any ratio. */
const maxRatio = 200
const minRatioBytes = 2 ** 20

/** This many bytes inflate to at most about 4 MiB, because the maximum ratio of Deflate is 1,032:1. */
const startBytes = 4096

const damaged = "The archive's directory is damaged."

export type ZipEntry = {
  name: string
  /** The name decoded as UTF-8 regardless of the encoding that the archive declares. */
  utf8Name: string
  headerOffset: number
  nameBytes: number
  compressedBytes: number
  sizeBytes: number
  crc32: number
  method: number
  isEncrypted: boolean
}

export interface ZipArchive {
  /** The names of all files and folders, in the order of the directory. */
  readonly names: readonly string[]
  has(name: string): boolean
  /** Returns the inflated size in bytes that the directory declares, or undefined if there is no such entry. */
  sizeOf(name: string): number | undefined
  /** Inflates an entry of at most `maxBytes`. Throws unless the archive has exactly one entry of this name. */
  read(name: string, maxBytes: number): Promise<Buffer>
  /** Returns up to the first 4 KiB of an entry of any size. */
  readStart(name: string): Promise<Buffer>
  /** Streams an inflated entry of any size, whose bytes are read from `content`. */
  stream(name: string, content: ByteSource): AsyncIterable<Buffer>
  /** Returns the name of an entry decoded as UTF-8, which signatures use regardless of the declared encoding. */
  utf8NameOf(name: string): string
}

/**
 * Reads the directory of a ZIP archive. Rejects unsafe names and overlapping entries, which let a small archive inflate
 * to petabytes (https://www.bamsoftware.com/hacks/zipbomb/).
 */
export async function openZip(source: ByteSource): Promise<ZipArchive> {
  const entries = await readDirectory(source)
  requireSeparateEntries(entries)
  const byName = new Map<string, ZipEntry>()
  const repeated = new Set<string>()
  for (const entry of entries) {
    if (byName.has(entry.name)) repeated.add(entry.name)
    byName.set(entry.name, entry)
  }
  let remainingBytes = maxInflatedBytes

  const requireEntry = (name: string): ZipEntry => {
    const entry = byName.get(name)
    if (entry === undefined) throw new InspectionError(`The archive does not contain ${shown(name)}.`)
    if (repeated.has(name)) throw new InspectionError(`The archive contains ${shown(name)} more than once.`)
    if (entry.isEncrypted) throw new InspectionError(`${shown(name)} is encrypted.`)
    return entry
  }

  return {
    names: [...byName.keys()],
    has: (name) => byName.has(name),
    sizeOf: (name) => byName.get(name)?.sizeBytes,
    async read(name, maxBytes) {
      const entry = requireEntry(name)
      requireAcceptableSize(entry, Math.min(maxBytes, remainingBytes))
      remainingBytes -= entry.sizeBytes
      const offset = await findData(source, entry)
      const data = await readBytes(source, offset, entry.compressedBytes, `${shown(name)} is truncated.`)
      return inflate(entry, data)
    },
    async readStart(name) {
      const entry = requireEntry(name)
      const offset = await findData(source, entry)
      const length = Math.min(entry.compressedBytes, startBytes)
      const data = await readBytes(source, offset, length, `${shown(name)} is truncated.`)
      return decompress(entry, data, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, startBytes)
    },
    async *stream(name, content) {
      const entry = requireEntry(name)
      const offset = await findData(content, entry, { isExact: true })
      yield* inflateStream(entry, (at, length) =>
        readBytes(content, offset + at, length, `${shown(name)} is truncated.`),
      )
    },
    utf8NameOf: (name) => byName.get(name)?.utf8Name ?? name,
  }
}

/** Shortens a name for messages and removes its control characters. */
const shown = (name: string): string => cleanText(name, 100) ?? 'An entry'

async function readDirectory(source: ByteSource): Promise<ZipEntry[]> {
  const reader = new WindowedReader(source)
  const zip = await openDirectory(reader, source.sizeBytes)
  if (zip.entryCount > maxEntries)
    throw new InspectionError(`The archive has more than ${maxEntries.toLocaleString('en-US')} entries.`)
  const entries: ZipEntry[] = []
  let nameBytes = 0
  try {
    for await (const found of zip.eachEntry()) {
      nameBytes += found.fileNameRaw.length
      if (nameBytes > maxNameBytes) throw new InspectionError('The file names in the archive are too long.')
      const name = getFileNameLowLevel(
        found.generalPurposeBitFlag,
        found.fileNameRaw,
        found.extraFields,
        false,
      )
      requireSafeName(name)
      entries.push({
        name,
        utf8Name: /^[ -~]*$/.test(name) ? name : found.fileNameRaw.toString('utf8'),
        headerOffset: found.relativeOffsetOfLocalHeader,
        nameBytes: found.fileNameRaw.length,
        compressedBytes: found.compressedSize,
        sizeBytes: found.uncompressedSize,
        crc32: found.crc32,
        method: found.compressionMethod,
        isEncrypted: found.isEncrypted(),
      })
    }
  } catch (error) {
    if (error instanceof InspectionError) throw error
    throw reader.sourceError ?? new InspectionError(damaged, { cause: error })
  }
  return entries
}

async function openDirectory(reader: WindowedReader, sizeBytes: number): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(reader, sizeBytes, {
      autoClose: false,
      decodeStrings: false,
    })
  } catch (error) {
    throw reader.sourceError ?? new InspectionError('The file is not a ZIP archive.', { cause: error })
  }
}

function requireSafeName(name: string): void {
  if (name.includes('\0') || validateFileName(name.replaceAll('\\', '/')) !== null)
    throw new InspectionError('The archive contains an entry with an unsafe name.')
}

function requireSeparateEntries(entries: readonly ZipEntry[]): void {
  const localHeaderBytes = 30
  let end = 0
  for (const entry of entries.toSorted((a, b) => a.headerOffset - b.headerOffset)) {
    if (entry.headerOffset < end) throw new InspectionError('The archive contains overlapping entries.')
    end = entry.headerOffset + localHeaderBytes + entry.nameBytes + entry.compressedBytes
  }
}

function requireAcceptableSize(entry: ZipEntry, maxBytes: number): void {
  const { name, sizeBytes, compressedBytes } = entry
  if (Math.max(sizeBytes, compressedBytes) > maxBytes)
    throw new InspectionError(`${shown(name)} is too large.`)
  if (sizeBytes > minRatioBytes && sizeBytes > compressedBytes * maxRatio)
    throw new InspectionError(`${shown(name)} has a compression ratio above ${maxRatio}:1.`)
}

/**
 * Returns the offset of an entry's data. The extra fields of its local header can differ from the directory. With
 * `isExact`, the local header must have the same name, and the same checksum and sizes unless they follow the data.
 */
async function findData(
  source: ByteSource,
  entry: ZipEntry,
  { isExact = false }: { isExact?: boolean } = {},
): Promise<number> {
  const header = await readBytes(source, entry.headerOffset, 30, damaged)
  const isFound = header.readUInt32LE(0) === 0x04034b50 && header.readUInt16LE(26) === entry.nameBytes
  const isSame = async () => hasSameSizes(header, entry) && (await hasSameName(source, entry))
  if (!isFound || (isExact && !(await isSame())))
    throw new InspectionError("The archive's directory does not match its content.")
  return entry.headerOffset + 30 + entry.nameBytes + header.readUInt16LE(28)
}

async function hasSameName(
  source: ByteSource,
  { headerOffset, utf8Name, nameBytes }: ZipEntry,
): Promise<boolean> {
  const name = await readBytes(source, headerOffset + 30, nameBytes, damaged)
  return name.toString('utf8') === utf8Name
}

function hasSameSizes(header: Buffer, { crc32: checksum, compressedBytes, sizeBytes }: ZipEntry): boolean {
  const hasDataDescriptor = (header.readUInt16LE(6) & 8) !== 0
  const [localChecksum, localCompressedBytes, localBytes] = [14, 18, 22].map((at) => header.readUInt32LE(at))
  const isZip64 = localCompressedBytes === 0xffffffff || localBytes === 0xffffffff
  return (
    hasDataDescriptor ||
    (localChecksum === checksum &&
      (isZip64 || (localCompressedBytes === compressedBytes && localBytes === sizeBytes)))
  )
}

function inflate(entry: ZipEntry, data: Buffer): Buffer {
  const bytes = decompress(entry, data, { maxOutputLength: Math.max(entry.sizeBytes, 1) })
  if (bytes.length !== entry.sizeBytes || crc32(bytes) !== entry.crc32)
    throw new InspectionError(`${shown(entry.name)} is damaged.`)
  return bytes
}

function decompress({ name, method }: ZipEntry, data: Buffer, options: ZlibOptions): Buffer {
  if (method === 0) return data
  if (method !== 8) throw new InspectionError(`${shown(name)} is compressed with an unsupported method.`)
  try {
    return inflateRawSync(data, options)
  } catch (error) {
    throw new InspectionError(`${shown(name)} is damaged.`, { cause: error })
  }
}
