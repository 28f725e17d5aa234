import {
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  validateFileName,
  type Entry,
  type ZipFile,
} from 'yauzl'
import { InspectionError, type ByteSource } from '../inspection.ts'
import { WindowedReader } from './windowed-reader.ts'

const maxEntries = 1_000_000
/** Bounds the memory of the names. Those of a million files with paths of 100 characters fit. */
const maxNameBytes = 96 * 2 ** 20
/** V8 hashes texts from 16,384 characters by their length alone, so a map of such names takes quadratic time. */
const minLongName = 4096
const maxLongNameBytes = 4 * 2 ** 20

export const damaged = "The archive's directory is damaged."

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

/** Thrown if a directory is too large to be kept in memory. The archive can still be valid. */
export class DirectoryTooLarge extends InspectionError {}

type Directory = {
  names: string[]
  /** The index of the last entry of each name. */
  indexes: ReadonlyMap<string, number>
  /** The names that several entries have. */
  repeated: ReadonlySet<string>
  entryAt: (name: string, index: number) => ZipEntry
}

/** Reads the entries into columns, because a million objects would need more memory than the process may use. */
export async function readDirectory(source: ByteSource, maxCount = maxEntries): Promise<Directory> {
  const reader = new WindowedReader(source)
  const zip = await openDirectory(reader, source.sizeBytes)
  if (zip.entryCount > maxCount)
    throw new DirectoryTooLarge(`The archive has more than ${maxCount.toLocaleString('en-US')} entries.`)
  const columns = createColumns(Math.min(zip.entryCount, Math.ceil(source.sizeBytes / minRecordBytes)))
  const indexes = new Map<string, number>()
  const repeated = new Set<string>()
  const utf8Names = new Map<number, string>()
  const spendName = createNameBudget()
  let index = 0
  try {
    for await (const found of zip.eachEntry()) {
      const name = nameOf(found)
      requireSafeName(name)
      const utf8Name = isAscii(name) ? name : found.fileNameRaw.toString('utf8')
      spendName(name)
      if (utf8Name !== name) {
        utf8Names.set(index, utf8Name)
        spendName(utf8Name)
      }
      if (indexes.has(name)) repeated.add(name)
      indexes.set(name, index)
      columns.headerOffset[index] = found.relativeOffsetOfLocalHeader
      columns.compressedBytes[index] = found.compressedSize
      columns.sizeBytes[index] = found.uncompressedSize
      columns.crc32[index] = found.crc32
      columns.nameBytes[index] = found.fileNameRaw.length
      columns.method[index] = found.compressionMethod
      columns.isEncrypted[index] = Number(found.isEncrypted())
      index++
    }
  } catch (error) {
    if (error instanceof InspectionError) throw error
    throw reader.sourceError ?? new InspectionError(damaged, { cause: error })
  }
  requireSeparateEntries(columns)
  return {
    names: [...indexes.keys()],
    indexes,
    repeated,
    entryAt: (name, at) => ({
      name,
      utf8Name: utf8Names.get(at) ?? name,
      headerOffset: columns.headerOffset[at] ?? 0,
      nameBytes: columns.nameBytes[at] ?? 0,
      compressedBytes: columns.compressedBytes[at] ?? 0,
      sizeBytes: columns.sizeBytes[at] ?? 0,
      crc32: columns.crc32[at] ?? 0,
      method: columns.method[at] ?? 0,
      isEncrypted: columns.isEncrypted[at] === 1,
    }),
  }
}

/** Returns a function that throws `InspectionError` once the names passed to it need too much memory or time. */
export function createNameBudget(): (name: string) => void {
  let nameBytes = 0
  let longNameBytes = 0
  return (name) => {
    nameBytes += memoryOf(name)
    if (nameBytes > maxNameBytes) throw new DirectoryTooLarge('The archive has too many long file names.')
    if (name.length >= minLongName) longNameBytes += name.length
    if (longNameBytes > maxLongNameBytes)
      throw new InspectionError('The file names in the archive are too long.')
  }
}

const minRecordBytes = 46

type Columns = ReturnType<typeof createColumns>

const createColumns = (count: number) => ({
  headerOffset: new Float64Array(count),
  compressedBytes: new Float64Array(count),
  sizeBytes: new Float64Array(count),
  crc32: new Uint32Array(count),
  nameBytes: new Uint16Array(count),
  method: new Uint16Array(count),
  isEncrypted: new Uint8Array(count),
})

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/** Returns the bytes of a text in memory. V8 stores a text with a character above U+00FF in two bytes per character. */
const memoryOf = (text: string): number => text.length * (isAscii(text) ? 1 : 2)

const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)

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

/** Compares sorted starts with sorted ends: if no two entries overlap, each starts after the previous one has ended. */
function requireSeparateEntries({ headerOffset, nameBytes, compressedBytes }: Columns): void {
  const localHeaderBytes = 30
  const ends = headerOffset.map(
    (start, index) => start + localHeaderBytes + (nameBytes[index] ?? 0) + (compressedBytes[index] ?? 0),
  )
  const starts = headerOffset.toSorted()
  ends.sort()
  if (starts.some((start, index) => index > 0 && start < (ends[index - 1] ?? 0)))
    throw new InspectionError('The archive contains overlapping entries.')
}
