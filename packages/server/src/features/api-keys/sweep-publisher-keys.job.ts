import type { Deps } from '../../deps.ts'
import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { deleteExpiredTokenKeys } from './api-key.db.ts'

const keptMs = 7 * 24 * 60 * 60 * 1000
const batch = 5000

/** Takes keys of CI runs out of the lists a week after they expired: one a run would bury the others. */
export const sweepPublisherKeys = job({
  name: 'api-keys.sweep-publisher-keys',
  schedule: '41 2 * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  handle: (deps, _, stopping) => deleteOldPublisherKeys(deps, stopping),
})

export async function deleteOldPublisherKeys({ db, clock }: Deps, stopping?: AbortSignal): Promise<void> {
  const expiredBefore = new Date(clock.now().getTime() - keptMs)
  await inBatches(batch, (most) => deleteExpiredTokenKeys(db, { expiredBefore, most }), stopping)
}
