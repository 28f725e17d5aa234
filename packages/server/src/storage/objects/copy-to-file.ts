import { open } from 'node:fs/promises'
import type { SealedObject, StorageDriver } from '../driver.ts'
import { freeMemory } from '../transfer/request-body.ts'

/** Copies an object to a new file that only this user can read. */
export async function copyToFile(
  storage: Pick<StorageDriver, 'read'>,
  object: SealedObject,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const bytes of storage.read(object)) {
      signal?.throwIfAborted()
      await file.writeFile(bytes)
      // The garbage collector would free it after other files have needed memory.
      freeMemory(bytes)
    }
  } finally {
    await file.close()
  }
}
