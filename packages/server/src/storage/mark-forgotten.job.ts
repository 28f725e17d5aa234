import { inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { job } from '../jobs/job.ts'
import { requireSoundClock } from '../jobs/sound-clock.ts'
import { listReferences, updateForgottenObjectsDeleted } from './deleted-objects.db.ts'

const atOnce = 5_000

/** The net below everything that deletes: objects that no row refers to, whatever took the row away. */
export const markForgotten = job({
  name: 'storage.mark-forgotten',
  schedule: '37 4 * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => markForgottenObjects(deps, stopping),
})

export async function markForgottenObjects(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await requireSoundClock(deps)
  const references = await listReferences(deps.db)
  let objects = 0
  for (let last: string | undefined = ''; last !== undefined;) {
    if (stopping?.aborted === true) break
    const after: string = last
    const found = await inTransaction(deps.db, (tx) =>
      updateForgottenObjectsDeleted(tx, references, after, atOnce),
    )
    objects += found.forgotten.length
    last = found.last
  }
  if (objects > 0) deps.log.warn({ objects }, 'marked objects that no row refers to')
}
