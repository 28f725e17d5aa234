import type { Executor } from '../../database/transaction.ts'
import { limitConcurrency } from '../../lib/concurrency.ts'
import type { Progress } from '../../lib/progress.ts'
import { countStoredObjects, listStoredObjects, type ObjectScope } from './stored-objects.db.ts'

export type StoredObject = Awaited<ReturnType<typeof listStoredObjects>>[number]

type Options = {
  /** The database that lists the objects. */
  db: Executor
  scope: ObjectScope
  /** 4 by default. */
  maxConcurrent?: number
  onProgress: (progress: Progress) => void
  /** Called with the keys of each batch before its objects are processed. */
  prepare?: (keys: string[]) => Promise<void>
}

const batchSize = 1_000

/**
 * Calls `work` for every stored object of the scope, including objects that are marked as deleted, in the order of their
 * keys. Starts no further calls once one of them or `onProgress` has thrown.
 */
export async function eachObject(
  { db, scope, maxConcurrent = 4, onProgress, prepare }: Options,
  work: (object: StoredObject) => Promise<void>,
): Promise<void> {
  const { objects: totalObjects, sizeBytes: totalBytes } = await countStoredObjects(db, scope)
  let [objects, sizeBytes] = [0, 0]
  let hasFailed = false
  const report = (isComplete: boolean) =>
    onProgress({
      step: 'files',
      done: objects,
      total: totalObjects,
      doneBytes: sizeBytes,
      totalBytes,
      isComplete,
    })
  const limit = limitConcurrency(maxConcurrent)
  const run = async (object: StoredObject): Promise<void> => {
    if (hasFailed) return
    try {
      await work(object)
      objects += 1
      sizeBytes += object.sizeBytes
      report(false)
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  let batch: StoredObject[] = []
  do {
    batch = await listStoredObjects(db, scope, batch.at(-1)?.key, batchSize)
    await prepare?.(batch.map(({ key }) => key))
    await Promise.all(batch.map((object) => limit(() => run(object))))
  } while (batch.length === batchSize)
  report(true)
}
