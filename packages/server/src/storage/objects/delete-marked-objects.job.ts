import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { assertDeletionAllowed } from '../../jobs/deletion-guard.ts'
import { job } from '../../jobs/job.ts'
import { Problem } from '../../lib/problem.ts'
import { isStoreProblem } from '../custom/store-driver.ts'
import { storeIdOf } from '../custom/store-key.ts'
import {
  deleteStoredObject,
  listOverdueKeys,
  listReferences,
  lockOverdueObject,
  unmarkReferencedObject,
} from './marked-objects.db.ts'

export const graceDays = 7
const batchSize = 500

/**
 * Deletes the bytes and then the rows of objects whose grace period has ended. If a run is interrupted between the two
 * steps, the next run finds the row and deletes the bytes again, which has no effect.
 */
export const deleteMarked = job({
  name: 'storage.delete-marked-objects',
  schedule: '53 * * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => deleteMarkedObjects(deps, stopping),
})

type References = Awaited<ReturnType<typeof listReferences>>

type SweepDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'log'>

export async function deleteMarkedObjects(deps: SweepDeps, stopping?: AbortSignal): Promise<void> {
  await assertDeletionAllowed(deps)
  const references = await listReferences(deps.db)
  let [objects, bytes] = [0, 0]
  // The next run deletes the objects in stores that cannot be used now.
  const unusable = new Set<string | null>()
  for (let lastKey: string | undefined = ''; lastKey !== undefined;) {
    const keys: string[] = await listOverdueKeys(deps.db, graceDays, lastKey, batchSize)
    for (const key of keys) {
      if (stopping?.aborted === true) break
      if (unusable.has(storeIdOf(key))) continue
      const deletedBytes = await deleteObject(deps, key, references, unusable)
      if (deletedBytes === undefined) continue
      objects++
      bytes += deletedBytes
    }
    lastKey = keys.length < batchSize || stopping?.aborted === true ? undefined : keys.at(-1)
  }
  if (objects > 0) deps.log.info({ objects, bytes }, 'deleted marked objects')
}

async function deleteObject(
  { db, storage, log }: SweepDeps,
  key: string,
  references: References,
  unusable: Set<string | null>,
): Promise<number | undefined> {
  try {
    const object = await inTransaction(db, async (tx) => {
      const locked = await lockOverdueObject(tx, key, graceDays)
      if (locked === undefined || !(await unmarkReferencedObject(tx, key, references))) return locked
      log.error({ key }, 'kept a marked object that is still referenced')
      return undefined
    })
    if (object === undefined) return undefined
    await storage.remove({ key })
    await inTransaction(db, (tx) => deleteStoredObject(tx, key, graceDays, references))
    return object.size_bytes
  } catch (error) {
    if (isStoreProblem(error)) {
      unusable.add(storeIdOf(key))
      log.warn({ err: error, store: storeIdOf(key) }, 'skipped a custom store that cannot be used')
      return undefined
    }
    if (error instanceof Problem && error.kind === 'unavailable') throw error
    log.error({ err: error, key }, 'could not delete a marked object')
    return undefined
  }
}
