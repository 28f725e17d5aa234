import type { Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { StoredKey } from '../../storage/driver.ts'
import { listStoredKeys } from '../../storage/objects/stored-objects.db.ts'
import { listPendingKeys } from './upload-sweep.db.ts'

const batchSize = 500

/** Returns the keys in `found` that belong to an upload or a stored object, regardless of its state. */
export async function listReferencedKeys(db: Db, found: readonly StoredKey[]): Promise<Set<string>> {
  const keys = found.map(({ key }) => key)
  return (await listPendingKeys(db, keys)).union(await listStoredKeys(db, keys))
}

/**
 * Moves quarantined bytes that a row refers to back to their original keys. Such bytes were quarantined while the
 * service was running with another database, such as an older copy.
 */
export async function restoreReferencedBytes({
  db,
  storage,
  log,
}: Pick<Deps, 'db' | 'storage' | 'log'>): Promise<void> {
  let restored = 0
  for await (const quarantined of inChunks(storage.listQuarantined(), batchSize)) {
    const referenced = await listReferencedKeys(db, quarantined)
    for (const found of quarantined.filter(({ key }) => referenced.has(key))) {
      await storage.restore(found)
      restored++
    }
  }
  if (restored > 0) log.warn({ restored }, 'restored quarantined bytes that rows refer to')
}

export async function* inChunks<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = []
  for await (const item of items) {
    if (chunk.push(item) < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
