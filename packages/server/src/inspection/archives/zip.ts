import { constants, crc32, inflateRawSync, type ZlibOptions } from 'node:zlib'
import { cleanText, readBytes, bufferSource, sourceWithin } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'
import { countedSource, forwardSource } from './forward-source.ts'
import { inflateStream } from './inflate-stream.ts'
import { damaged, DirectoryTooLarge, readDirectory, type ZipEntry } from './zip-directory.ts'

const maxInflatedBytes = 256 * 2 ** 20
/** XML compresses up to about 50:1. Files below `minRatioBytes` may have any ratio. */
const maxRatio = 200
const minRatioBytes = 2 ** 20

/** This many bytes inflate to at most about 4 MiB, because the maximum ratio of Deflate is 1,032:1. */
const startBytes = 4096

/** Thrown if an entry does not fit into memory. The archive may still be valid. */
export class EntryTooLarge extends InspectionError {}

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
  /**
   * Returns the content of an entry. One that is compressed is inflated into memory. Throws `EntryTooLarge` if it has more
   * than `maxBytes`.
   */
  open(name: string, maxBytes: number): Promise<ByteSource>
  /**
   * Returns the content of an entry of any size, which is read from `content`. One that is compressed can only be read
   * forward. `spend` is called with the number of bytes that are read. Dispose of the result after use.
   */
  openForward(
    name: string,
    content: ByteSource,
    spend: (bytes: number) => void,
  ): Promise<ByteSource & AsyncDisposable>
  /** Returns the name of an entry decoded as UTF-8, which signatures use regardless of the declared encoding. */
  utf8NameOf(name: string): string
}

/**
 * Reads the directory of a ZIP archive. Rejects unsafe names and overlapping entries, which let a small archive inflate
 * to petabytes (https://www.bamsoftware.com/hacks/zipbomb/).
 */
export async function openZip(source: ByteSource): Promise<ZipArchive> {
  const { names, indexes, repeated, entryAt } = await readDirectory(source)
  let remainingBytes = maxInflatedBytes

  const findEntry = (name: string): ZipEntry | undefined => {
    const index = indexes.get(name)
    return index === undefined ? undefined : entryAt(name, index)
  }

  const requireEntry = (name: string): ZipEntry => {
    const entry = findEntry(name)
    if (entry === undefined) throw new InspectionError(`The archive does not contain ${shown(name)}.`)
    if (repeated.has(name)) throw new InspectionError(`The archive contains ${shown(name)} more than once.`)
    if (entry.isEncrypted) throw new InspectionError(`${shown(name)} is encrypted.`)
    return entry
  }

  async function* stream(name: string, content: ByteSource): AsyncGenerator<Buffer, void, undefined> {
    const entry = requireEntry(name)
    const offset = await findData(content, entry, { isExact: true })
    yield* inflateStream(entry, (at, length) =>
      readBytes(content, offset + at, length, `${shown(name)} is truncated.`),
    )
  }

  return {
    names,
    has: (name) => indexes.has(name),
    sizeOf: (name) => findEntry(name)?.sizeBytes,
    async read(name, maxBytes) {
      const entry = requireEntry(name)
      requireAcceptableSize(entry, Math.min(maxBytes, remainingBytes))
      remainingBytes -= entry.sizeBytes
      const offset = await findData(source, entry)
      const data = await readBytes(source, offset, entry.compressedBytes, `${shown(name)} is truncated.`)
      return inflate(entry, data)
    },
    readStart: async (name) => readStart(source, requireEntry(name)),
    stream,
    async open(name, maxBytes) {
      const entry = requireEntry(name)
      if (entry.method === 0) return openStored(entry, source)
      if (entry.sizeBytes > maxBytes) throw new EntryTooLarge(`${shown(name)} is too large.`)
      const bytes = Buffer.alloc(entry.sizeBytes)
      let at = 0
      for await (const chunk of stream(name, source)) at += chunk.copy(bytes, at)
      return bufferSource(bytes)
    },
    async openForward(name, content, spend) {
      const entry = requireEntry(name)
      return entry.method === 0
        ? countedSource(await openStored(entry, content), spend)
        : forwardSource(stream(name, content), entry.sizeBytes, spend)
    },
    utf8NameOf: (name) => findEntry(name)?.utf8Name ?? name,
  }
}

/** Opens an archive of any kind. Returns undefined if it is valid as far as known but its directory is too large. */
export async function openReadableZip(source: ByteSource): Promise<ZipArchive | undefined> {
  try {
    return await openZip(source)
  } catch (error) {
    if (error instanceof DirectoryTooLarge) return undefined
    throw error
  }
}

async function readStart(source: ByteSource, entry: ZipEntry): Promise<Buffer> {
  const offset = await findData(source, entry)
  const length = Math.min(entry.compressedBytes, startBytes)
  const data = await readBytes(source, offset, length, `${shown(entry.name)} is truncated.`)
  return decompress(entry, data, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, startBytes)
}

/** Returns the content of an entry that is not compressed, whose checksum is not verified. */
async function openStored(entry: ZipEntry, source: ByteSource): Promise<ByteSource> {
  const offset = await findData(source, entry)
  return sourceWithin(source, offset, entry.compressedBytes, `${shown(entry.name)} is truncated.`)
}

/** Shortens a name for messages and removes its control characters. */
const shown = (name: string): string => cleanText(name, 100) ?? 'An entry'

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
