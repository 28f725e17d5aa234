import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { countWaitingChanges, updateBuildCounts } from './build-count.db.ts'
import { mergeStorageUsage } from './storage-usage.db.ts'

// reading so many rows besides takes a fraction of a millisecond
const worthwhile = 500
const atOnce = 20_000

/** Takes what became of builds into the totals of lists and the bytes of applications; the sums are right at any time. */
export const countBuilds = job({
  name: 'builds.count',
  schedule: '* * * * *',
  retries: 0,
  expireInSeconds: 10 * 60,
  async handle({ db }, _, stopping) {
    await mergeStorageUsage(db, worthwhile)
    if ((await countWaitingChanges(db)) < worthwhile) return
    await inBatches(atOnce, (most) => updateBuildCounts(db, most), stopping)
  },
})
