import type { Db } from '../../database/transaction.ts'
import { inChunks, listReferencedKeys } from '../../features/uploads/quarantine.ts'
import type { StorageDriver, StoredKey } from '../../storage/driver.ts'

const batchSize = 500
// Icons are stored shortly before the row that refers to them is inserted.
const minAgeMs = 60 * 60 * 1000

/** Yields keys that are at least an hour old and that no row refers to. */
export async function* listOrphans(db: Db, storage: StorageDriver, now: Date): AsyncGenerator<StoredKey> {
  const unchangedSince = new Date(now.getTime() - minAgeMs)
  for await (const keys of inChunks(storage.listKeys({ unchangedSince }), batchSize)) {
    const referenced = await listReferencedKeys(db, keys)
    yield* keys.filter(({ key }) => !referenced.has(key))
  }
}
