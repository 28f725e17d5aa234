import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { assertDeletionAllowed, isOrphanShareAllowed } from '../../jobs/deletion-guard.ts'
import { job } from '../../jobs/job.ts'
import { countUnreferencedObjects, listReferences, markUnreferencedObjects } from './marked-objects.db.ts'

const batchSize = 5_000

/** Marks objects that no row refers to, regardless of how the row that referred to them was deleted. */
export const markUnreferenced = job({
  name: 'storage.mark-unreferenced',
  schedule: '37 4 * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => markAllUnreferencedObjects(deps, stopping),
})

type SweepDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'log' | 'config'>

export async function markAllUnreferencedObjects(deps: SweepDeps, stopping?: AbortSignal): Promise<void> {
  await assertDeletionAllowed(deps)
  const references = await listReferences(deps.db)
  const counted = await countUnreferenced(deps, references, stopping)
  if (stopping?.aborted === true || counted.found === 0) return
  if (!isOrphanShareAllowed(deps, { ...counted, what: 'stored files that nothing refers to' })) return
  let objects = 0
  for (let lastKey: string | undefined = ''; lastKey !== undefined;) {
    if (stopping?.aborted) break
    const afterKey: string = lastKey
    const batch = await inTransaction(deps.db, (tx) =>
      markUnreferencedObjects(tx, references, afterKey, batchSize),
    )
    objects += batch.markedKeys.length
    lastKey = batch.lastKey
  }
  if (objects > 0) deps.log.warn({ objects }, 'marked unreferenced objects for deletion')
}

/** Counts the objects that a run would mark. */
export async function countUnreferenced(
  { db }: Pick<Deps, 'db'>,
  references: Awaited<ReturnType<typeof listReferences>>,
  stopping: AbortSignal | undefined,
) {
  let [found, examined] = [0, 0]
  for (let lastKey: string | undefined = ''; lastKey !== undefined;) {
    if (stopping?.aborted === true) break
    const afterKey: string = lastKey
    const batch = await countUnreferencedObjects(db, references, afterKey, batchSize)
    found += batch.found
    examined += batch.examined
    lastKey = batch.lastKey
  }
  return { found, examined }
}
