import { crc32, deflateRawSync } from 'node:zlib'
import { join, u16, u32, u64 } from '../hostile/bytes.ts'

/** An entry of an archive. Fields that are set replace the correct values, to create malformed archives. */
export type ZipEntry = {
  name: string | Buffer
  data?: Buffer | string
  isDeflated?: boolean
  /** The bytes to store instead of the data. */
  stored?: Buffer
  sizeBytes?: number
  compressedBytes?: number
  crc?: number
  method?: number
  flags?: number
  headerOffset?: number
  localName?: string
  attributes?: number
}

export type ZipOptions = {
  comment?: Buffer
  entryCount?: number
  directoryOffset?: number
  directoryBytes?: number
  /** Bytes to insert before the directory, such as an APK signing block. */
  beforeDirectory?: Buffer
}

/** Returns a ZIP archive. */
export function zipFile(entries: Iterable<ZipEntry>, options: ZipOptions = {}): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  let count = 0
  for (const entry of entries) {
    const { local, central } = writeEntry(entry, offset)
    files.push(local)
    directory.push(central)
    offset += local.length
    count++
  }
  const before = options.beforeDirectory ?? Buffer.alloc(0)
  const central = Buffer.concat(directory)
  const comment = options.comment ?? Buffer.alloc(0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(options.entryCount ?? count, 0xffff), 8)
  end.writeUInt16LE(Math.min(options.entryCount ?? count, 0xffff), 10)
  end.writeUInt32LE(options.directoryBytes ?? central.length, 12)
  end.writeUInt32LE(options.directoryOffset ?? offset + before.length, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...files, before, central, end, comment])
}

function writeEntry(entry: ZipEntry, offset: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(entry.name)
  const data = Buffer.from(entry.data ?? '')
  const stored = entry.stored ?? (entry.isDeflated === true ? deflateRawSync(data) : data)
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(entry.flags ?? 0x800, 2)
  fields.writeUInt16LE(entry.method ?? (entry.isDeflated === true ? 8 : 0), 4)
  fields.writeUInt32LE(entry.crc ?? crc32(data), 10)
  fields.writeUInt32LE(entry.compressedBytes ?? stored.length, 14)
  fields.writeUInt32LE(entry.sizeBytes ?? data.length, 18)
  fields.writeUInt16LE(name.length, 22)

  const localName = entry.localName === undefined ? name : Buffer.from(entry.localName)
  const localFields = Buffer.from(fields)
  localFields.writeUInt16LE(localName.length, 22)
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), localFields, localName, stored])

  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(entry.attributes ?? 0, 6)
  rest.writeUInt32LE(entry.headerOffset ?? offset, 10)
  const central = Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), fields, rest, name])
  return { local, central }
}

/** Returns an archive in ZIP64 format that declares this number of entries. */
export function zip64File({ file, directory }: { file: Buffer; directory: Buffer }, count: number): Buffer {
  const record = join(
    u32(0x06064b50),
    u64(44),
    u16(45, 45),
    u32(0, 0),
    u64(count, count, directory.length, file.length),
  )
  const locator = join(u32(0x07064b50, 0), u64(file.length + directory.length), u32(1))
  const end = join(u32(0x06054b50), u16(0, 0), Buffer.alloc(12, 0xff), u16(0))
  return join(file, directory, record, locator, end)
}

/** Returns an archive of empty files, followed by one file, in ZIP64 format. */
export function zipOfManyFiles(names: Iterable<string>, last: ZipEntry): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  let count = 0
  const add = (entry: ZipEntry) => {
    const { local, central } = writeEntry(entry, offset)
    files.push(local)
    directory.push(central)
    offset += local.length
    count++
  }
  for (const name of names) add({ name })
  add(last)
  return zip64File({ file: Buffer.concat(files), directory: Buffer.concat(directory) }, count)
}
