import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import xz from 'xz-decompress'
import { InspectionError } from '../inspection.ts'
import { decompressLz4 } from './lz4.ts'
import { decompressLzo } from './lzo.ts'

export type Compression = 'gz' | 'zlib' | 'lz4' | 'lzo' | 'xz' | 'zst' | 'none'

/**
 * Decompresses bytes. Throws `InspectionError` with the reason if they are damaged or exceed `maxBytes` after
 * decompression.
 */
export async function decompress(
  bytes: Buffer,
  compression: Compression,
  { maxBytes, reason }: { maxBytes: number; reason: string },
): Promise<Buffer> {
  if (compression === 'none' && bytes.length > maxBytes) throw new InspectionError(reason)
  if (compression === 'none') return bytes
  try {
    if (compression === 'gz') return gunzipSync(bytes, { maxOutputLength: maxBytes })
    if (compression === 'zlib') return inflateSync(bytes, { maxOutputLength: maxBytes })
    if (compression === 'zst') return zstdDecompressSync(bytes, { maxOutputLength: maxBytes })
    if (compression === 'lz4') return decompressLz4(bytes, maxBytes)
    if (compression === 'lzo') return decompressLzo(bytes, maxBytes)
    return await decompressXz(bytes, maxBytes)
  } catch (error) {
    throw new InspectionError(reason, { cause: error })
  }
}

/** Decompresses XZ data. The decoder rejects dictionaries above 64 MiB. */
async function decompressXz(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  const stream = new xz.XzReadableStream(new Blob([Uint8Array.from(bytes)]).stream())
  for await (const chunk of stream) {
    length += chunk.length
    if (length > maxBytes) throw new RangeError('The data is too large.')
    // The decoder overwrites each chunk with the next one, so the chunk is copied.
    chunks.push(Uint8Array.from(chunk))
  }
  return Buffer.concat(chunks)
}
