import { crc32, deflateRawSync } from 'node:zlib'
import { defaultMode, type ArchiveFile } from './archive-file.ts'

const version = 20
const unix = 3
const deflated = 8
/** Names are UTF-8. */
const flags = 0x0800

/** Returns a ZIP archive. Its bytes depend only on the arguments and the version of zlib. */
export function zipArchive(files: readonly ArchiveFile[], modifiedAt: Date, level = 9): Buffer {
  const time = dosTime(modifiedAt)
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content, mode = defaultMode } of files) {
    const name = Buffer.from(path)
    const compressed = deflateRawSync(content, { level })
    const attributes = attributesOf(content, compressed, name, time)
    const header = Buffer.concat([words32(0x04034b50), attributes, words16(0), name])
    local.push(header, compressed)
    const permissions = (0o100000 | mode) * 0x10000
    directory.push(
      words32(0x02014b50),
      words16(unix * 256 + version),
      attributes,
      words16(0, 0, 0, 0),
      words32(permissions, offset),
      name,
    )
    offset += header.length + compressed.length
  }
  const directoryBytes = directory.reduce((sum, part) => sum + part.length, 0)
  const end = [
    words32(0x06054b50),
    words16(0, 0, files.length, files.length),
    words32(directoryBytes, offset),
    words16(0),
  ]
  return Buffer.concat([...local, ...directory, ...end])
}

/** Returns the attributes that the header of an entry and its record in the directory both have. */
const attributesOf = (content: Buffer, compressed: Buffer, name: Buffer, time: [number, number]): Buffer =>
  Buffer.concat([
    words16(version, flags, deflated, ...time),
    words32(crc32(content), compressed.length, content.length),
    words16(name.length),
  ])

/** Returns a time and a date in the format of MS-DOS, which has no time zone: UTC. */
const dosTime = (date: Date): [number, number] => [
  date.getUTCHours() * 2048 + date.getUTCMinutes() * 32 + Math.floor(date.getUTCSeconds() / 2),
  (date.getUTCFullYear() - 1980) * 512 + (date.getUTCMonth() + 1) * 32 + date.getUTCDate(),
]

function words16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

function words32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}
