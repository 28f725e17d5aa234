import { createHash } from 'node:crypto'
import { DamagedFile } from '../../storage/damaged-file.ts'

/*
 * In a bucket, the bytes of each file are followed by their SHA-256, because it is known only after the file has been
 * sent, and an ETag is not a checksum in every store.
 */
export const digestBytes = 32

export async function* appendDigest(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  yield hash.digest()
}

/** Yields the bytes without their digest. Throws `DamagedFile` before the last bytes if they do not match. */
export async function* checkDigest(
  chunks: AsyncIterable<Uint8Array>,
  { key, sizeBytes }: { key: string; sizeBytes: number },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  const digest: Uint8Array[] = []
  let unreadBytes = sizeBytes
  let held: Uint8Array | undefined
  for await (const chunk of chunks) {
    const content = chunk.subarray(0, unreadBytes)
    digest.push(chunk.subarray(content.length))
    unreadBytes -= content.length
    if (content.length === 0) continue
    hash.update(content)
    if (held !== undefined) yield held
    held = content
  }
  if (unreadBytes > 0 || !hash.digest().equals(Buffer.concat(digest)))
    throw new DamagedFile('storage.file_damaged', { key, partName: '' })
  if (held !== undefined) yield held
}
