import { DamagedFile } from '../damaged-file.ts'
import type { SealedObject } from '../driver.ts'
import { parsePartName, type LocalLayout } from '../local/local-layout.ts'
import { readObject } from '../local/local-reader.ts'
import type { BufferPool } from './buffer-pool.ts'
import type { HashPool, ReadChecksums, SingleHash } from './hashing.ts'

/**
 * Returns the checksums of an object, which is read once. Throws `DamagedFile` if a part does not match the SHA-256
 * that was computed when it was received, so that the checksums of damaged bytes are never recorded. The parts of an
 * object that consists of ranges are not compared, because they are not read completely.
 */
export async function objectChecksums(
  { layout, buffers, hashes }: { layout: LocalLayout; buffers: BufferPool; hashes: HashPool },
  object: SealedObject,
  signal?: AbortSignal,
): Promise<ReadChecksums> {
  const whole = hashes.startAll(object.sizeBytes)
  let part: SingleHash | undefined
  const isComposed = object.ranges !== undefined
  const segments = object.segments.values()
  let segment = segments.next().value
  let readBytes = 0
  try {
    for await (const { buffer, length } of readObject(layout, object, undefined, buffers)) {
      signal?.throwIfAborted()
      if (isComposed) {
        await whole.update(buffer.memory, length)
        continue
      }
      part ??= hashes.startSha256(segment?.sizeBytes ?? 0)
      await Promise.all([whole.update(buffer.memory, length), part.update(buffer.memory, length)])
      readBytes += length
      if (segment === undefined || readBytes < segment.sizeBytes) continue
      const sha256 = await part.digest()
      if (sha256 !== parsePartName(segment.name)?.sha256)
        throw new DamagedFile('storage.file_damaged', {
          key: segment.key ?? object.key,
          partName: segment.name,
        })
      part = undefined
      segment = segments.next().value
      readBytes = 0
    }
    return { ...(await whole.digest()), isConfirmed: !isComposed }
  } catch (error) {
    whole.abort()
    part?.abort()
    throw error
  }
}
