import { inBatches } from '../../../jobs/in-batches.ts'
import { job } from '../../../jobs/job.ts'
import { countPendingChanges, foldBuildChanges } from './build-totals.db.ts'
import { mergeStorageUsage } from './storage-usage.db.ts'

// Fewer pending rows are not worth folding: reading them takes a fraction of a millisecond.
const minPending = 500
const batchSize = 20_000

/**
 * Folds pending changes into the stored build counts and storage usage. Reads add the changes that have not been folded
 * yet, so totals are always exact.
 */
export const countBuilds = job({
  name: 'builds.count',
  schedule: '* * * * *',
  retries: 0,
  expireInSeconds: 10 * 60,
  async handle({ db }, _, stopping) {
    await mergeStorageUsage(db, minPending)
    if ((await countPendingChanges(db)) < minPending) return
    await inBatches(batchSize, (limit) => foldBuildChanges(db, limit), stopping)
  },
})
