import { readRange } from './byte-source.ts'
import type { ByteSource } from './byte-source.ts'

/** Content in a file: an entry of a ZIP archive, or the stream of a gzip file, whose end is not known. */
export type Member = {
  /** The position of the bytes in the file. */
  start: number
  sizeBytes: number | undefined
  isDeflated: boolean
  name: string
  /** As the archive declares it, which is not verified. */
  crc32: number
}

const maxDirectoryBytes = 64 * 1024 * 1024
const maxMembers = 200_000
const endBytes = 22
const maxCommentBytes = 65_535
const signature = {
  entry: 0x02014b50,
  local: 0x04034b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
}
const gzipMagic = 0x8b1f

/** Returns the members of an archive in the order of their positions. Other files, and damaged archives, have none. */
export function readMembers(file: ByteSource): Member[] {
  try {
    if (file.sizeBytes < endBytes) return []
    const gzipStart = findGzipStart(file)
    if (gzipStart !== undefined)
      return [{ start: gzipStart, sizeBytes: undefined, isDeflated: true, name: '', crc32: 0 }]
    return readZip(file)
  } catch (error) {
    // The declared positions can be outside of the file.
    if (error instanceof RangeError) return []
    throw error
  }
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function findGzipStart(file: ByteSource): number | undefined {
  const header = view(readRange(file, 0, 10))
  if (header.getUint16(0, true) !== gzipMagic || header.getUint8(2) !== 8) return undefined
  const flags = header.getUint8(3)
  const bytes = readRange(file, 0, Math.min(file.sizeBytes, 128 * 1024))
  let position = 10
  if ((flags & 4) > 0) position += 2 + view(bytes).getUint16(position, true)
  for (const flag of [8, 16]) if ((flags & flag) > 0) position = bytes.indexOf(0, position) + 1
  if ((flags & 2) > 0) position += 2
  return position < 10 || position >= bytes.length ? undefined : position
}

function readZip(file: ByteSource): Member[] {
  const tailStart = Math.max(0, file.sizeBytes - endBytes - maxCommentBytes)
  const tail = view(readRange(file, tailStart, file.sizeBytes))
  let end = tail.byteLength - endBytes
  while (end >= 0 && tail.getUint32(end, true) !== signature.end) end--
  if (end < 0) return []
  let directoryBytes = tail.getUint32(end + 12, true)
  let directoryStart = tail.getUint32(end + 16, true)
  if (end >= 20 && tail.getUint32(end - 20, true) === signature.locator64) {
    const position = Number(tail.getBigUint64(end - 12, true))
    const end64 = view(checkedRange(file, position, position + 56))
    if (end64.getUint32(0, true) === signature.end64) {
      directoryBytes = Number(end64.getBigUint64(40, true))
      directoryStart = Number(end64.getBigUint64(48, true))
    }
  }
  if (directoryBytes > maxDirectoryBytes) return []
  const directory = checkedRange(file, directoryStart, directoryStart + directoryBytes)
  return withoutOverlaps([...readEntries(file, directory)])
}

function checkedRange(file: ByteSource, start: number, end: number): Uint8Array {
  if (!(start >= 0 && start <= end && end <= file.sizeBytes)) throw new RangeError('The archive is damaged.')
  return readRange(file, start, end)
}

function* readEntries(file: ByteSource, directory: Uint8Array): Generator<Member> {
  const entries = view(directory)
  let count = 0
  for (let at = 0; at + 46 <= directory.length && entries.getUint32(at, true) === signature.entry;) {
    if (++count > maxMembers) return
    const [flags, method] = [entries.getUint16(at + 8, true), entries.getUint16(at + 10, true)]
    const [nameBytes, extraBytes] = [entries.getUint16(at + 28, true), entries.getUint16(at + 30, true)]
    const next = at + 46 + nameBytes + extraBytes + entries.getUint16(at + 32, true)
    if (next > directory.length) return
    const name = new TextDecoder('latin1').decode(directory.subarray(at + 46, at + 46 + nameBytes))
    const { sizeBytes, header } = readSizes(entries, at, at + 46 + nameBytes, extraBytes)
    const isEncrypted = (flags & 1) > 0
    if (!isEncrypted && (method === 0 || method === 8) && sizeBytes > 0) {
      const local = view(checkedRange(file, header, header + 30))
      const start = header + 30 + local.getUint16(26, true) + local.getUint16(28, true)
      if (local.getUint32(0, true) === signature.local && start + sizeBytes <= file.sizeBytes)
        yield { start, sizeBytes, isDeflated: method === 8, name, crc32: entries.getUint32(at + 16, true) }
    }
    at = next
  }
}

/** Returns the compressed size of an entry and the position of its local header, which ZIP64 keeps in an extra field. */
function readSizes(
  entries: DataView,
  at: number,
  extraStart: number,
  extraBytes: number,
): { sizeBytes: number; header: number } {
  let sizeBytes = entries.getUint32(at + 20, true)
  let header = entries.getUint32(at + 42, true)
  for (let field = extraStart; field + 4 <= extraStart + extraBytes;) {
    const fieldEnd = field + 4 + entries.getUint16(field + 2, true)
    if (entries.getUint16(field, true) === 1) {
      let value = field + 4 + (entries.getUint32(at + 24, true) === 0xffff_ffff ? 8 : 0)
      if (sizeBytes === 0xffff_ffff && value + 8 <= fieldEnd) {
        sizeBytes = Number(entries.getBigUint64(value, true))
        value += 8
      }
      if (header === 0xffff_ffff && value + 8 <= fieldEnd) header = Number(entries.getBigUint64(value, true))
    }
    field = fieldEnd
  }
  return { sizeBytes, header }
}

function withoutOverlaps(members: Member[]): Member[] {
  let end = 0
  return members
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, sizeBytes = 0 }) => {
      if (start < end) return false
      end = start + sizeBytes
      return true
    })
}
