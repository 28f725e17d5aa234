import type { SealedObject, StorageDriver } from './driver.ts'
import { createHashPool, type Digests } from './hashing.ts'
import { newSlab } from './slabs.ts'

const slabBytes = 1024 * 1024

/**
 * MD5 and SHA-256 (hex) of all bytes of an object, read once and hashed on a thread of its own, about 500 MB/s. For
 * objects of several parts, whose checksums no driver knows. Aborting the signal throws its reason.
 */
export async function checksumsOf(
  driver: Pick<StorageDriver, 'read'>,
  object: SealedObject,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Digests> {
  const hashes = createHashPool({ threadsPerDigest: 1 })
  try {
    const hashing = hashes.start()
    const slabs = [newSlab(slabBytes), newSlab(slabBytes)] as const
    // While one slab is hashed the next is read.
    const done: Promise<void>[] = [Promise.resolve(), Promise.resolve()]
    let turn: 0 | 1 = 0
    for await (const bytes of driver.read(object)) {
      signal?.throwIfAborted()
      for (let offset = 0; offset < bytes.length; offset += slabBytes) {
        const piece = bytes.subarray(offset, offset + slabBytes)
        await done[turn]
        slabs[turn].bytes.set(piece)
        const work = hashing.update(slabs[turn].memory, piece.length)
        // Whoever gives up early does not wait for it.
        work.catch(() => undefined)
        done[turn] = work
        turn = turn === 0 ? 1 : 0
      }
    }
    await Promise.all(done)
    return await hashing.digest()
  } finally {
    await hashes.close()
  }
}
