import { job } from '../../jobs/job.ts'
import { countWaitingChanges, updateBuildCounts } from './build-count.db.ts'

// reading so many changes besides the counts takes a fraction of a millisecond
const worthwhile = 500
const atOnce = 20_000

/** Takes what became of builds into the counts that the totals of lists come from; the sum is right at any time. */
export const countBuilds = job({
  name: 'builds.count',
  schedule: '* * * * *',
  retries: 0,
  expireInSeconds: 10 * 60,
  async handle({ db }) {
    if ((await countWaitingChanges(db)) < worthwhile) return
    while ((await updateBuildCounts(db, atOnce)) === atOnce);
  },
})
