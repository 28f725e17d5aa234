import { localHeader } from '@quayside/sdk/zip-records'
import type { ZipEntry } from '@quayside/sdk/zip-records'
import { fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'
import { Failure } from '../failure.ts'
import type { Archive, ArchiveEntry, NameRules } from './archive-entry.ts'
import {
  isSyncState,
  maxTargetBytes,
  pathProblem,
  requireSeparatePaths,
  unsafeArchive,
} from './entry-rules.ts'

const maxEntries = 1_000_000
const localHeaderBytes = 30
/** Deflate reaches 1032:1. Larger sizes are false, and would reserve or fill the disk. */
const maxDeflateRatio = 1032
const unixHosts = new Set([3, 19])
const utf8Flag = 0x0800
const encryptedFlags = 0x2041

/**
 * Reads the directory of a ZIP archive. Returns its entries in the order of their positions. Throws if the archive is
 * damaged, or if unpacking it could write to other places than the folder.
 */
export async function readDirectory(archive: Archive, rules: NameRules): Promise<ArchiveEntry[]> {
  const reader = new ArchiveReader(archive)
  const zip = await openDirectory(archive, reader)
  if (zip.entryCount > maxEntries)
    throw unsafeArchive(`has more than ${maxEntries.toLocaleString('en-US')} entries`)
  const entries: ArchiveEntry[] = []
  reader.firstPosition = undefined
  try {
    for await (const found of zip.eachEntry()) {
      const entry = toEntry(found, rules)
      if (!isSyncState(entry.path)) entries.push(entry)
    }
  } catch (error) {
    throw error instanceof Failure ? error : (reader.failure ?? damaged(error))
  }
  setEnds(entries, reader.firstPosition ?? archive.sizeBytes)
  requireSeparatePaths(entries, rules)
  return entries
}

const damaged = (cause: unknown): Failure => {
  const failure = unsafeArchive('is damaged')
  failure.cause = cause
  return failure
}

async function openDirectory(archive: Archive, reader: ArchiveReader): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(reader, archive.sizeBytes, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    })
  } catch (error) {
    throw reader.failure ?? notAnArchive(archive.filename, error)
  }
}

const notAnArchive = (filename: string, cause?: unknown): Failure =>
  new Failure(
    'failed',
    `${filename} is not a ZIP archive, so it cannot be synced with a folder. Use \`quayside download --reuse\` instead.`,
    { cause },
  )

function toEntry(found: Entry, rules: NameRules): ArchiveEntry {
  const name = getFileNameLowLevel(found.generalPurposeBitFlag, found.fileNameRaw, found.extraFields, true)
  const isFolder = name.endsWith('/')
  const path = isFolder ? name.slice(0, -1) : name
  const problem = pathProblem(path, rules)
  if (problem !== undefined) throw unsafeArchive(`contains ${JSON.stringify(name)}, which ${problem}`)
  const isUnix = unixHosts.has(found.versionMadeBy >>> 8)
  const mode = isUnix ? found.externalFileAttributes >>> 16 : 0
  const kind = kindOf(name, mode)
  const { compressionMethod: method, compressedSize: storedBytes, uncompressedSize: sizeBytes } = found
  if ((found.generalPurposeBitFlag & encryptedFlags) !== 0) throw unsafeArchive(`contains ${path} encrypted`)
  if (method !== 0 && method !== 8)
    throw unsafeArchive(`contains ${path} with the unsupported compression method ${method}`)
  if (
    (method === 0 && storedBytes !== sizeBytes) ||
    sizeBytes > storedBytes * maxDeflateRatio ||
    (sizeBytes === 0 && found.crc32 !== 0) ||
    (kind === 'folder' && sizeBytes > 0) ||
    (kind === 'link' && sizeBytes > maxTargetBytes)
  )
    throw unsafeArchive(`contains ${path} with an impossible size`)
  const entry = {
    path,
    kind,
    isExecutable: (mode & 0o111) !== 0 && kind === 'file',
    isDeflated: method === 8,
    crc32: found.crc32,
    storedBytes,
    sizeBytes,
    start: found.relativeOffsetOfLocalHeader,
    // Until the next entry is known: the earliest position at which the entry can end.
    end: found.relativeOffsetOfLocalHeader + localHeaderBytes + found.fileNameRaw.length + storedBytes,
  }
  const isOwn = isUnix && found.generalPurposeBitFlag === utf8Flag
  return { ...entry, zip: isOwn ? zipEntry(entry, { name, mode, modifiedAt: timeOf(found) }) : undefined }
}

function kindOf(name: string, mode: number): ArchiveEntry['kind'] {
  const type = mode & 0o170000
  if (name.endsWith('/')) {
    if (type === 0 || type === 0o040000) return 'folder'
  } else if (type === 0o120000) return 'link'
  else if (type === 0 || type === 0o100000) return 'file'
  throw unsafeArchive(`contains ${name}, which is neither a file nor a folder`)
}

const zipEntry = (
  { isDeflated, crc32, storedBytes, sizeBytes }: Omit<ArchiveEntry, 'zip'>,
  others: Pick<ZipEntry, 'name' | 'mode' | 'modifiedAt'>,
): ZipEntry => ({ ...others, isDeflated, crc32, storedBytes, sizeBytes })

/** Returns the extended timestamp, which `quayside upload --keep-times` writes. */
function timeOf({ extraFields }: Entry): Date | undefined {
  const time = extraFields.find(({ id, data }) => id === 0x5455 && data.length === 5)
  return time === undefined ? undefined : new Date(time.data.readUInt32LE(1) * 1000)
}

/** Sorts entries by position and sets their ends. Throws if two overlap. */
function setEnds(entries: ArchiveEntry[], directoryStart: number): void {
  entries.sort((a, b) => a.start - b.start)
  for (const [index, entry] of entries.entries()) {
    const next = entries[index + 1]?.start ?? directoryStart
    if (entry.end > next) throw unsafeArchive('contains overlapping entries')
    entry.end = next
    // Another program can set the same flags, but the sizes then differ.
    if (entry.zip !== undefined && entry.start + localHeader(entry.zip).length + entry.storedBytes !== next)
      entry.zip = undefined
  }
}

/** Reads for yauzl, and keeps the failure of a read, which yauzl does not distinguish from a damaged archive. */
class ArchiveReader extends RandomAccessReader {
  failure: Error | undefined
  /** Position of the first read since it was set to undefined. */
  firstPosition: number | undefined
  readonly #archive: Archive
  #window: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(archive: Archive) {
    super()
    this.#archive = archive
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.firstPosition ??= position
    const copy = () => {
      this.#window.copy(buffer, offset, position - this.#start, position - this.#start + length)
      callback(null)
    }
    // A directory takes two reads for each entry, so those within the window are not deferred.
    const isInWindow = position >= this.#start && position + length <= this.#start + this.#window.length
    if (isInWindow) copy()
    else
      this.#load(position, length).then(copy, (error: unknown) =>
        callback(error instanceof Error ? error : new Error(String(error))),
      )
  }

  async #load(position: number, length: number): Promise<void> {
    const end = Math.min(this.#archive.sizeBytes, position + Math.max(length, windowBytes))
    if (!(position + length <= end)) throw new Error('the archive ends early')
    try {
      this.#window = await this.#archive.readAt(position, end - position)
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error))
      throw error
    }
    this.#start = position
  }
}

const windowBytes = 4 * 1024 * 1024
