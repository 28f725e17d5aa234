import { crc32 } from 'node:zlib'
import { decompressStream, type StreamCompression } from '../archives/decompress-stream.ts'
import { isTar, tarFiles } from '../archives/tar-stream.ts'
import { createNameBudget, DirectoryTooLarge, readDirectory } from '../archives/zip-directory.ts'
import { readHead } from '../bytes.ts'
import { InspectionError, type ByteSource } from '../inspection.ts'
import { recognizeFormat } from '../recognize-format.ts'
import type { UnreadableCode } from './comparison-schema.ts'
import type { EntryList } from './entry-list.ts'

/** Thrown if the entries of a file cannot be listed, although the file may be valid. */
class UnreadableEntries extends InspectionError {
  readonly code: UnreadableCode

  constructor(code: UnreadableCode, reason: string) {
    super(reason)
    this.code = code
  }
}

/** Two directories of this size fit into the memory and the CPU time of the process. */
const maxComparedEntries = 500_000
const tarBlockBytes = 512
const damagedTar = 'The tar archive is damaged.'
const emptyZip = Buffer.from('PK\u0005\u0006')

/**
 * Lists the files in an archive: from the directory of a ZIP archive, or by reading a tar archive to its end. Throws
 * `InspectionError` if that is not possible.
 */
export async function readEntries(source: ByteSource): Promise<EntryList> {
  const head = await readHead(source, tarBlockBytes)
  const format = await recognizeFormat(source, 'none')
  if (format === 'zip' || head.subarray(0, emptyZip.length).equals(emptyZip)) return readZip(source)
  if (format === 'gz' || format === 'xz' || format === 'zst') return readTar(source, format)
  if (format === undefined && isTar(head)) return readTar(source, 'none')
  throw unsupported()
}

const unsupported = (): UnreadableEntries =>
  new UnreadableEntries('unsupported', 'The format of the file is not an archive that Quayside can open.')

/** Returns why the entries of a file cannot be listed. */
export function unreadableCodeOf(error: InspectionError): UnreadableCode {
  if (error instanceof UnreadableEntries) return error.code
  return error instanceof DirectoryTooLarge ? 'too_large' : 'invalid'
}

async function readZip(source: ByteSource): Promise<EntryList> {
  const { names, indexes, entryAt } = await readDirectory(source, maxComparedEntries)
  const storedBytes: number[] = []
  const list: EntryList = { names: [], sizeBytes: [], storedBytes, checksums: [] }
  for (const name of names) {
    const entry = entryAt(name, indexes.get(name) ?? 0)
    // The CRC-32 of entries that are encrypted with AES is 0.
    if (entry.isEncrypted) throw new UnreadableEntries('encrypted', 'The archive is encrypted.')
    if (name.endsWith('/')) continue
    list.names.push(name)
    list.sizeBytes.push(entry.sizeBytes)
    storedBytes.push(entry.compressedBytes)
    list.checksums.push(entry.crc32)
  }
  return list
}

async function readTar(source: ByteSource, compression: StreamCompression): Promise<EntryList> {
  const tooLarge = () =>
    new UnreadableEntries('too_large', 'The tar archive is too large to be read for a comparison.')
  const content = () => decompressStream(source, compression, damagedTar, tooLarge)
  if (compression !== 'none' && !isTar(await startOf(content()))) throw unsupported()
  const list: EntryList = { names: [], sizeBytes: [], storedBytes: undefined, checksums: [] }
  const indexes = new Map<string, number>()
  const spendName = createNameBudget()
  for await (const { name, sizeBytes, stream } of tarFiles(content())) {
    let [checksum, readBytes] = [0, 0]
    for await (const bytes of stream()) {
      checksum = crc32(bytes, checksum)
      readBytes += bytes.length
    }
    if (readBytes < sizeBytes) throw new InspectionError(damagedTar)
    spendName(name)
    // A later file replaces an earlier one of the same name.
    const index = indexes.get(name) ?? list.names.length
    indexes.set(name, index)
    list.names[index] = name
    list.sizeBytes[index] = sizeBytes
    list.checksums[index] = checksum
  }
  return list
}

async function startOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  let start = Buffer.alloc(0)
  for await (const bytes of content) {
    start = Buffer.concat([start, bytes])
    if (start.length >= tarBlockBytes) break
  }
  return start.subarray(0, tarBlockBytes)
}
