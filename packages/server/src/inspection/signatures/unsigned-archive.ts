import { parseOr, readBytes, readUint64, slice } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'

const damaged = "The archive's directory is damaged."
const endBytes = 22
const maxCommentBytes = 0xffff
const locatorBytes = 20
const zip64EndBytes = 56
const maxDirectoryBytes = 64 * 2 ** 20
const none16 = 0xffff
const none32 = 0xffffffff

/** The parts of an archive as they were before a signature was added. */
export type UnsignedArchive = {
  /** The number of bytes at the start of the file that contain the other entries. */
  dataBytes: number
  /** The directory and the records that end the archive. */
  directory: Buffer
}

/**
 * Returns a ZIP archive without its signature, over which packages for Windows and NuGet are signed. Returns undefined
 * unless the signature is the last entry, because bytes after it would not be signed. Throws `InspectionError` if the
 * directory is damaged.
 */
export async function readUnsignedArchive(
  source: ByteSource,
  signatureName: string,
): Promise<UnsignedArchive | undefined> {
  const { end, endOffset } = await findEnd(source)
  const zip64 = await findZip64End(source, endOffset)
  const [entryCount, directoryBytes, directoryOffset] = parseOr(damaged, () =>
    zip64 === undefined
      ? [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)]
      : [32, 40, 48].map((at) => readUint64(zip64.bytes, at, 'LE')),
  ) as [number, number, number]
  if (directoryBytes > maxDirectoryBytes) throw new InspectionError(damaged)
  const directory = await readBytes(source, directoryOffset, directoryBytes, damaged)
  const records = parseOr(damaged, () => splitRecords(directory, entryCount))
  const signature = records.find(({ name }) => name === signatureName)
  const isLast = records.every(({ offset }) => offset <= (signature?.offset ?? -1))
  const isAdjacent = zip64 === undefined || zip64.offset === directoryOffset + directoryBytes
  if (signature === undefined || !isLast || !isAdjacent) return undefined
  const rest = records.filter((record) => record !== signature).map(({ bytes }) => bytes)
  const restBytes = directoryBytes - signature.bytes.length
  const values = { count: entryCount - 1, sizeBytes: restBytes, offset: signature.offset }
  const ends = parseOr(damaged, () => [...adjustZip64(zip64, values), adjustEnd(end, values)])
  return { dataBytes: signature.offset, directory: Buffer.concat([...rest, ...ends]) }
}

type Zip64End = { bytes: Buffer; offset: number; locator: Buffer }
type Directory = { count: number; sizeBytes: number; offset: number }

async function findEnd(source: ByteSource): Promise<{ end: Buffer; endOffset: number }> {
  const length = Math.min(source.sizeBytes, endBytes + maxCommentBytes)
  const tail = await readBytes(source, source.sizeBytes - length, length, damaged)
  for (let at = length - endBytes; at >= 0; at--) {
    const isEnd =
      tail.readUInt32LE(at) === 0x06054b50 && tail.readUInt16LE(at + 20) === length - at - endBytes
    if (isEnd) return { end: tail.subarray(at), endOffset: source.sizeBytes - length + at }
  }
  throw new InspectionError(damaged)
}

async function findZip64End(source: ByteSource, endOffset: number): Promise<Zip64End | undefined> {
  if (endOffset < locatorBytes) return undefined
  const locator = await readBytes(source, endOffset - locatorBytes, locatorBytes, damaged)
  if (locator.readUInt32LE(0) !== 0x07064b50) return undefined
  const offset = parseOr(damaged, () => readUint64(locator, 8, 'LE'))
  const bytes = await readBytes(source, offset, endOffset - locatorBytes - offset, damaged)
  const isEnd = bytes.length === zip64EndBytes && bytes.readUInt32LE(0) === 0x06064b50
  if (!isEnd) throw new InspectionError(damaged)
  return { bytes, offset, locator }
}

type DirectoryRecord = { name: string; offset: number; bytes: Buffer }

function splitRecords(directory: Buffer, count: number): DirectoryRecord[] {
  const records: DirectoryRecord[] = []
  for (let at = 0; at < directory.length;) {
    if (directory.readUInt32LE(at) !== 0x02014b50) throw new InspectionError(damaged)
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(at + field),
    )
    const length = 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0)
    const bytes = slice(directory, at, length)
    records.push({
      name: bytes.toString('utf8', 46, 46 + (nameBytes ?? 0)),
      offset: offsetOf(bytes, 46 + (nameBytes ?? 0), extraBytes ?? 0),
      bytes,
    })
    at += length
  }
  if (records.length !== count) throw new InspectionError(damaged)
  return records
}

/** Returns the offset of the entry, which the ZIP64 field contains after the sizes if it does not fit into the record. */
function offsetOf(record: Buffer, extraOffset: number, extraBytes: number): number {
  const offset = record.readUInt32LE(42)
  if (offset !== none32) return offset
  const extra = slice(record, extraOffset, extraBytes)
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const sizes = [20, 24].filter((field) => record.readUInt32LE(field) === none32).length
    return readUint64(extra, at + 4 + sizes * 8, 'LE')
  }
  throw new RangeError('The entry has no offset.')
}

function adjustZip64(zip64: Zip64End | undefined, { count, sizeBytes, offset }: Directory): Buffer[] {
  if (zip64 === undefined) return []
  const bytes = Buffer.from(zip64.bytes)
  const locator = Buffer.from(zip64.locator)
  for (const [at, value] of [
    [24, count],
    [32, count],
    [40, sizeBytes],
    [48, offset],
  ] as const)
    bytes.writeBigUInt64LE(BigInt(value), at)
  locator.writeBigUInt64LE(BigInt(offset + sizeBytes), 8)
  return [bytes, locator]
}

/** Fields that refer to the ZIP64 record stay as they are. */
function adjustEnd(end: Buffer, { count, sizeBytes, offset }: Directory): Buffer {
  const bytes = Buffer.from(end)
  for (const at of [8, 10]) if (end.readUInt16LE(at) !== none16) bytes.writeUInt16LE(count, at)
  if (end.readUInt32LE(12) !== none32) bytes.writeUInt32LE(sizeBytes, 12)
  if (end.readUInt32LE(16) !== none32) bytes.writeUInt32LE(offset, 16)
  // The numbers of disks are signed as zeros.
  bytes.writeUInt32LE(0, 4)
  return bytes
}
