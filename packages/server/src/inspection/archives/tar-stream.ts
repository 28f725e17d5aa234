import { InspectionError } from '../inspection.ts'
import { StreamReader, type StreamedFile } from './stream-reader.ts'

const blockBytes = 512
const maxNameBytes = 64 * 1024
const damaged = 'The tar archive is damaged.'

/**
 * Yields the files of a tar archive with the names of ustar, GNU and pax headers. Stops at the end of the archive or when
 * the stream ends. Throws `InspectionError` if the archive is damaged.
 */
export async function* tarFiles(
  stream: AsyncIterable<Buffer>,
): AsyncGenerator<StreamedFile, void, undefined> {
  await using reader = new StreamReader(stream)
  let longName: string | undefined
  for (;;) {
    const header = await reader.take(blockBytes)
    if (header.length < blockBytes || header.every((byte) => byte === 0)) return
    if (!hasValidChecksum(header)) throw new InspectionError(damaged)
    const sizeBytes = sizeOf(header)
    const type = header.toString('latin1', 156, 157)
    const paddedBytes = Math.ceil(sizeBytes / blockBytes) * blockBytes
    if (type === 'L' || type === 'x') {
      if (sizeBytes > maxNameBytes) throw new InspectionError(damaged)
      const content = (await reader.take(paddedBytes)).subarray(0, sizeBytes)
      longName = (type === 'L' ? text(content) : pathInPax(content)) ?? longName
      continue
    }
    const name = (longName ?? nameIn(header)).replace(/^(?:\.\/)+/, '')
    const { file, skip } = reader.file(name, sizeBytes, paddedBytes)
    if (type === '0' || type === '\0' || type === '7') yield file
    if (type !== 'g') longName = undefined
    if (!(await skip())) return
  }
}

/** Returns whether these are the first bytes of a tar archive. */
export const isTar = (head: Buffer): boolean => head.length >= blockBytes && hasValidChecksum(head)

function hasValidChecksum(header: Buffer): boolean {
  const declared = Number.parseInt(header.toString('latin1', 148, 156).replace(/[\0 ].*$/s, ''), 8)
  let sum = 8 * 0x20
  for (let at = 0; at < blockBytes; at++) if (at < 148 || at >= 156) sum += header[at] ?? 0
  return sum === declared
}

function sizeOf(header: Buffer): number {
  // GNU tar writes sizes of 8 GiB and more in binary.
  const isBinary = (header.readUInt8(124) & 0x80) !== 0
  const size = isBinary
    ? Number(header.readBigUInt64BE(128))
    : Number.parseInt(text(header.subarray(124, 136)), 8)
  if (!Number.isSafeInteger(size) || size < 0) throw new InspectionError(damaged)
  return size
}

const text = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

function nameIn(header: Buffer): string {
  const isUstar = header.toString('latin1', 257, 262) === 'ustar' && header.readUInt8(262) === 0
  const prefix = isUstar ? text(header.subarray(345, 500)) : ''
  const name = text(header.subarray(0, 100))
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Returns the path in the records of a pax header, such as `30 path=folder/name`, which include their length. */
function pathInPax(content: Buffer): string | undefined {
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at)
    const length = Number.parseInt(content.toString('latin1', at, space), 10)
    if (space < 0 || !(length > 0)) return undefined
    const record = content.toString('utf8', space + 1, at + length - 1)
    if (record.startsWith('path=')) return record.slice('path='.length)
    at += length
  }
  return undefined
}
