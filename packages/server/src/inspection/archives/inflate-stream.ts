import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { InspectionError } from '../inspection.ts'

type Entry = { name: string; compressedBytes: number; sizeBytes: number; crc32: number; method: number }
type Read = (at: number, length: number) => Promise<Buffer>

const chunkBytes = 2 ** 20
/** Creating a stream takes longer than inflating most files, so entries up to this size are inflated at once. */
const maxSmallBytes = 2 ** 20
const damaged = 'A file in the archive is damaged.'

/** Streams an entry of an archive. Throws `InspectionError` unless it has the declared size and checksum. */
export async function* inflateStream(entry: Entry, read: Read): AsyncGenerator<Buffer, void, undefined> {
  const { compressedBytes, sizeBytes, method } = entry
  if (method !== 0 && method !== 8) throw new InspectionError(damaged)
  let streamedBytes = 0
  let checksum = 0
  for await (const chunk of contentOf(entry, read)) {
    streamedBytes += chunk.length
    if (streamedBytes > sizeBytes) break
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  const isComplete = streamedBytes === sizeBytes && (method === 8 || compressedBytes === sizeBytes)
  if (!isComplete || checksum !== entry.crc32) throw new InspectionError(damaged)
}

function contentOf(entry: Entry, read: Read): AsyncIterable<Buffer> {
  const { compressedBytes, sizeBytes, method } = entry
  if (method === 0) return chunksOf(compressedBytes, read)
  return Math.max(compressedBytes, sizeBytes) <= maxSmallBytes
    ? inflateSmall(entry, read)
    : inflateLarge(chunksOf(compressedBytes, read))
}

async function* chunksOf(length: number, read: Read): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < length; at += chunkBytes) yield await read(at, Math.min(chunkBytes, length - at))
}

async function* inflateSmall({ compressedBytes, sizeBytes }: Entry, read: Read) {
  const compressed = await read(0, compressedBytes)
  yield asDamaged(() => inflateRawSync(compressed, { maxOutputLength: Math.max(sizeBytes, 1) }))
}

async function* inflateLarge(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const inflater = createInflateRaw({ chunkSize: 64 * 1024 })
  const source = Readable.from(compressed, { objectMode: true, highWaterMark: 1 })
  const ended = pipeline(source, inflater)
  // The loop below throws the same error.
  ended.catch(() => {})
  try {
    yield* inflater as AsyncIterable<Buffer>
  } catch (error) {
    throw isInflateError(error) ? new InspectionError(damaged, { cause: error }) : error
  } finally {
    source.destroy()
    inflater.destroy()
  }
}

const isInflateError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')

function asDamaged<T>(inflate: () => T): T {
  try {
    return inflate()
  } catch (error) {
    throw new InspectionError(damaged, { cause: error })
  }
}
