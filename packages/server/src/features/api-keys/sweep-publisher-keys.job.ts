import type { Deps } from '../../deps.ts'
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
  handle: deleteOldPublisherKeys,
})

export async function deleteOldPublisherKeys({ db, clock }: Deps): Promise<void> {
  const expiredBefore = new Date(clock.now().getTime() - keptMs)
  while ((await deleteExpiredTokenKeys(db, { expiredBefore, most: batch })) === batch);
}
