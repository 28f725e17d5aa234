import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { crc32 } from '../archive/read-content.ts'
import type { Failure } from '../failure.ts'
import type { Archive, ArchiveEntry } from './archive-entry.ts'
import { unsafeArchive } from './entry-rules.ts'

const localHeaderBytes = 30
const localSignature = 0x04034b50
/** With a name and an extra field of 65,535 bytes each. */
const maxHeaderBytes = localHeaderBytes + 2 * 0xffff
/** Smaller contents are inflated at once, because a stream for each file takes longer. */
const maxBytesAtOnce = 1024 * 1024

type Write = (bytes: Buffer) => Promise<void>

/** Writes the content of an entry to a new file, and verifies its size and CRC-32. The caller closes the file. */
export async function unpackFile(archive: Archive, entry: ArchiveEntry, path: string): Promise<FileHandle> {
  const handle = await open(path, 'wx', entry.isExecutable ? 0o777 : 0o666)
  try {
    let position = 0
    await unpack(archive, entry, async (bytes) => {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position)
        done += bytesWritten
        position += bytesWritten
      }
    })
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Returns the target of a link, and verifies its size and CRC-32. */
export async function readLink(archive: Archive, entry: ArchiveEntry): Promise<string> {
  const parts: Buffer[] = []
  const end = Math.min(entry.end, entry.start + maxHeaderBytes + entry.storedBytes)
  const bytes = await archive.readAt(entry.start, end - entry.start)
  const inMemory = {
    async *read() {
      yield bytes
    },
  }
  await unpack(inMemory, entry, async (part) => void parts.push(part))
  const target = Buffer.concat(parts)
  const text = target.toString()
  if (!Buffer.from(text).equals(target)) throw isDamaged(entry)
  return text
}

/** Passes the content of an entry to `write`. Never writes more than the declared size. */
async function unpack(archive: Pick<Archive, 'read'>, entry: ArchiveEntry, write: Write): Promise<void> {
  let crc = 0
  let sizeBytes = 0
  const add = async (bytes: Buffer) => {
    sizeBytes += bytes.length
    if (sizeBytes > entry.sizeBytes) throw isDamaged(entry)
    crc = crc32(bytes, crc)
    await write(bytes)
  }
  const content = contentOf(archive, entry)
  if (!entry.isDeflated) for await (const bytes of content) await add(bytes)
  else if (Math.max(entry.sizeBytes, entry.storedBytes) <= maxBytesAtOnce) {
    const parts: Buffer[] = []
    for await (const bytes of content) parts.push(bytes)
    await add(inflateAtOnce(Buffer.concat(parts), entry))
  } else await inflate(content, entry, add)
  if (sizeBytes !== entry.sizeBytes || crc !== entry.crc32) throw isDamaged(entry)
}

function inflateAtOnce(bytes: Buffer, entry: ArchiveEntry): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, entry.sizeBytes) })
  } catch (error) {
    throw isDamaged(entry, error)
  }
}

async function inflate(content: AsyncGenerator<Buffer>, entry: ArchiveEntry, add: Write): Promise<void> {
  // Failures of the network and the disk have to be distinguished from those of the stream.
  let failure: Error | undefined
  const keep = (error: unknown): never => {
    failure ??= error instanceof Error ? error : new Error(String(error))
    throw failure
  }
  const source = async function* () {
    try {
      yield* content
    } catch (error) {
      keep(error)
    }
  }
  try {
    await pipeline(Readable.from(source(), { objectMode: false }), createInflateRaw(), async (inflated) => {
      for await (const bytes of inflated as AsyncIterable<Buffer>) await add(bytes).catch(keep)
    })
  } catch (error) {
    throw failure ?? isDamaged(entry, error)
  }
}

/** Yields the content of an entry as the archive contains it. */
async function* contentOf(archive: Pick<Archive, 'read'>, entry: ArchiveEntry): AsyncGenerator<Buffer> {
  let header = Buffer.alloc(0)
  let leftBytes = entry.storedBytes
  let isInContent = false
  for await (const bytes of archive.read(entry.start, entry.end)) {
    let part = bytes
    if (!isInContent) {
      header = Buffer.concat([header, bytes])
      if (header.length < localHeaderBytes) continue
      if (header.readUInt32LE(0) !== localSignature) throw isDamaged(entry)
      const headerBytes = localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
      if (entry.start + headerBytes + entry.storedBytes > entry.end) throw isDamaged(entry)
      if (header.length < headerBytes) continue
      isInContent = true
      part = header.subarray(headerBytes)
    }
    part = part.subarray(0, leftBytes)
    leftBytes -= part.length
    if (part.length > 0) yield part
    if (leftBytes === 0) break
  }
  if (leftBytes > 0 || !isInContent) throw isDamaged(entry)
}

function isDamaged({ path }: ArchiveEntry, cause?: unknown): Failure {
  const failure = unsafeArchive(`contains ${path} damaged`)
  failure.cause = cause
  return failure
}
