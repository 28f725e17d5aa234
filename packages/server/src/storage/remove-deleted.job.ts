import { inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { job } from '../jobs/job.ts'
import { requireSoundClock } from '../jobs/sound-clock.ts'
import { Problem } from '../lib/problem.ts'
import {
  deleteStoredObject,
  findLockedOverdueObject,
  listOverdueKeys,
  listReferences,
  updateUsedObjectKept,
} from './deleted-objects.db.ts'

const graceDays = 7
const atOnce = 500

/**
 * Drops the bytes of objects marked a week ago, then their rows: cut off in between, the next run finds the row and
 * drops once more what is not there.
 */
export const removeDeleted = job({
  name: 'storage.remove-deleted',
  schedule: '53 * * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => removeDeletedObjects(deps, stopping),
})

type References = Awaited<ReturnType<typeof listReferences>>

export async function removeDeletedObjects(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await requireSoundClock(deps)
  const references = await listReferences(deps.db)
  let [objects, bytes] = [0, 0]
  for (let last: string | undefined = ''; last !== undefined;) {
    const keys: string[] = await listOverdueKeys(deps.db, graceDays, last, atOnce)
    for (const key of keys) {
      if (stopping?.aborted === true) break
      const removedBytes = await removeObject(deps, key, references)
      if (removedBytes === undefined) continue
      objects++
      bytes += removedBytes
    }
    last = keys.length < atOnce || stopping?.aborted === true ? undefined : keys.at(-1)
  }
  if (objects > 0) deps.log.info({ objects, bytes }, 'dropped bytes of deleted objects')
}

async function removeObject(
  { db, storage, log }: Deps,
  key: string,
  references: References,
): Promise<number | undefined> {
  try {
    const object = await inTransaction(db, async (tx) => {
      const held = await findLockedOverdueObject(tx, key, graceDays)
      if (held === undefined || !(await updateUsedObjectKept(tx, key, references))) return held
      log.error({ key }, 'a deleted object is in use: it is kept')
      return undefined
    })
    if (object === undefined) return undefined
    await storage.remove({ key })
    await deleteStoredObject(db, key, graceDays)
    return object.size_bytes
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unavailable') throw error
    log.error({ err: error, key }, 'could not drop the bytes of a deleted object')
    return undefined
  }
}
