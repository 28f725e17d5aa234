import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import xz from 'xz-decompress'
import { InspectionError, type ByteSource } from '../inspection.ts'

export type StreamCompression = 'gz' | 'xz' | 'zst' | 'none'

const chunkBytes = 256 * 1024
/** Decompressing this much takes one to two seconds. The decoder for XZ is several times slower than the others. */
export const maxStreamedBytes = {
  gz: 256 * 2 ** 20,
  zst: 256 * 2 ** 20,
  xz: 64 * 2 ** 20,
  none: 256 * 2 ** 20,
} as const

/**
 * Streams the decompressed content of a file. If it is very large or requires more memory or another decoder, ends early, or
 * throws the error that `refuse` returns. Throws `InspectionError` with the reason if the content is damaged.
 */
export async function* decompressStream(
  source: ByteSource,
  compression: StreamCompression,
  reason: string,
  refuse?: () => InspectionError,
): AsyncGenerator<Buffer, void, undefined> {
  let sourceError: Error | undefined
  const compressed = async function* () {
    for (let at = 0; at < source.sizeBytes; at += chunkBytes) {
      try {
        yield await source.read(at, Math.min(chunkBytes, source.sizeBytes - at))
      } catch (error) {
        sourceError = error instanceof Error ? error : new Error(String(error))
        throw sourceError
      }
    }
  }
  let remainingBytes: number = maxStreamedBytes[compression]
  try {
    for await (const chunk of decompressed(compressed(), compression)) {
      remainingBytes -= chunk.length
      if (remainingBytes < 0) {
        if (refuse !== undefined) throw refuse()
        return
      }
      yield chunk
    }
  } catch (error) {
    if (error instanceof InspectionError) throw error
    if (isUnsupported(error)) {
      if (refuse !== undefined) throw refuse()
      return
    }
    throw sourceError ?? new InspectionError(reason, { cause: error })
  }
}

/** Returns whether the data may be valid: with a window above 128 MiB, a dictionary above 64 MiB, or other filters. */
function isUnsupported(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // The errors of XZ Embedded: XZ_MEM_ERROR, XZ_MEMLIMIT_ERROR and XZ_OPTIONS_ERROR.
  if (/failed with error code [346]$/.test(error.message)) return true
  return 'code' in error && error.code === 'ZSTD_error_frameParameter_windowTooLarge'
}

async function* decompressed(
  compressed: AsyncIterable<Buffer>,
  compression: StreamCompression,
): AsyncGenerator<Buffer, void, undefined> {
  if (compression === 'none') {
    yield* compressed
    return
  }
  const source = Readable.from(compressed, { objectMode: true, highWaterMark: 1 })
  if (compression === 'xz') {
    try {
      // The decoder overwrites each chunk with the next one, so the chunk is copied.
      for await (const chunk of new xz.XzReadableStream(Readable.toWeb(source))) yield Buffer.from(chunk)
    } finally {
      source.destroy()
    }
    return
  }
  const options = { chunkSize: 64 * 1024 }
  const decompressor = compression === 'gz' ? createGunzip(options) : createZstdDecompress(options)
  const ended = pipeline(source, decompressor)
  // The loop below throws the same error.
  ended.catch(() => {})
  try {
    yield* decompressor as AsyncIterable<Buffer>
  } finally {
    source.destroy()
    decompressor.destroy()
  }
}
