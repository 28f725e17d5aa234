/** Bytes that are not shared with a worker, which a Blob accepts. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

/** What a ZIP archive says about an entry. */
export type ZipEntry = {
  name: string
  /** Type and permissions as in `st_mode` of POSIX. */
  mode: number
  isDeflated: boolean
  crc32: number
  storedBytes: number
  sizeBytes: number
  /** Modification time. Without it, the archive has the earliest time that ZIP can express. */
  modifiedAt: Date | undefined
}

const max32 = 0xffffffff
const max16 = 0xffff
const unix = 3
/** Names are UTF-8. */
const flags = 0x0800

/** Returns the header before the content of an entry. */
export function localHeader(entry: ZipEntry): Bytes {
  const name = encoder.encode(entry.name)
  const isLarge = isLargeContent(entry)
  // A local header with ZIP64 contains both sizes there.
  const extra = concat([
    isLarge ? zip64Field([entry.sizeBytes, entry.storedBytes]) : new Uint8Array(),
    timeField(entry),
  ])
  return concat([
    words32(0x04034b50),
    attributes(entry, isLarge, isLarge),
    words16(name.length, extra.length),
    name,
    extra,
  ])
}

/** Returns the record of an entry in the directory. `offset` is the position of its local header. */
export function directoryRecord(entry: ZipEntry, offset: number): Bytes {
  const name = encoder.encode(entry.name)
  const large = [entry.sizeBytes, entry.storedBytes, offset].filter((value) => value >= max32)
  const extra = concat([large.length > 0 ? zip64Field(large) : new Uint8Array(), timeField(entry)])
  const madeBy = unix * 256 + versionOf(large.length > 0)
  const isFolder = entry.name.endsWith('/')
  return concat([
    words32(0x02014b50),
    words16(madeBy),
    attributes(entry, large.length > 0, false),
    words16(name.length, extra.length, 0, 0, 0),
    words32(entry.mode * 0x10000 + (isFolder ? 0x10 : 0), Math.min(offset, max32)),
    name,
    extra,
  ])
}

/** Returns the records after the directory, with those of ZIP64 if a number requires them. */
export function directoryEnd(directory: { count: number; sizeBytes: number; offset: number }): Bytes {
  const { count, sizeBytes, offset } = directory
  const counts = Math.min(count, max16)
  const end = concat([
    words32(0x06054b50),
    words16(0, 0, counts, counts),
    words32(Math.min(sizeBytes, max32), Math.min(offset, max32)),
    words16(0),
  ])
  if (count < max16 && sizeBytes < max32 && offset < max32) return end
  return concat([
    words32(0x06064b50),
    words64(44),
    words16(unix * 256 + versionOf(true), versionOf(true)),
    words32(0, 0),
    words64(count, count, sizeBytes, offset),
    words32(0x07064b50, 0),
    words64(offset + sizeBytes),
    words32(1),
    end,
  ])
}

const versionOf = (isZip64: boolean): number => (isZip64 ? 45 : 20)

const isLargeContent = ({ sizeBytes, storedBytes }: ZipEntry): boolean =>
  sizeBytes >= max32 || storedBytes >= max32

/** Returns the attributes that the header of an entry and its record in the directory both have. */
function attributes(entry: ZipEntry, isZip64: boolean, hidesBothSizes: boolean): Bytes {
  const { isDeflated, crc32, storedBytes, sizeBytes, modifiedAt } = entry
  const sizes = hidesBothSizes ? [max32, max32] : [Math.min(storedBytes, max32), Math.min(sizeBytes, max32)]
  return concat([
    words16(versionOf(isZip64), flags, isDeflated ? 8 : 0, ...dosTime(modifiedAt)),
    words32(crc32, ...sizes),
  ])
}

const zip64Field = (values: number[]): Bytes => concat([words16(1, values.length * 8), words64(...values)])

/** Returns the extended timestamp, which is in UTC, unlike the time in the header. */
function timeField({ modifiedAt }: ZipEntry): Bytes {
  if (modifiedAt === undefined) return new Uint8Array()
  const seconds = Math.floor(modifiedAt.getTime() / 1000)
  if (seconds < 0 || seconds > 0x7fffffff) return new Uint8Array()
  return concat([words16(0x5455, 5), Uint8Array.of(1), words32(seconds)])
}

/** Returns a time and a date in the format of MS-DOS, which has no time zone and the years 1980 to 2107: UTC. */
function dosTime(date: Date | undefined): [number, number] {
  const year = date?.getUTCFullYear() ?? 0
  if (date === undefined || year < 1980 || year > 2107) return [0, 0x21]
  return [
    date.getUTCHours() * 2048 + date.getUTCMinutes() * 32 + Math.floor(date.getUTCSeconds() / 2),
    (year - 1980) * 512 + (date.getUTCMonth() + 1) * 32 + date.getUTCDate(),
  ]
}

const words16 = (...values: number[]): Bytes =>
  numbers(values, 2, (view, at, value) => view.setUint16(at, value, true))

const words32 = (...values: number[]): Bytes =>
  numbers(values, 4, (view, at, value) => view.setUint32(at, value, true))

const words64 = (...values: number[]): Bytes =>
  numbers(values, 8, (view, at, value) => view.setBigUint64(at, BigInt(value), true))

function numbers(
  values: number[],
  sizeBytes: number,
  write: (view: DataView, at: number, value: number) => void,
): Bytes {
  const bytes = new Uint8Array(values.length * sizeBytes)
  const view = new DataView(bytes.buffer)
  for (const [index, value] of values.entries()) write(view, index * sizeBytes, value)
  return bytes
}

/** Returns the bytes of several arrays in order. */
export function concat(parts: readonly Uint8Array[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
