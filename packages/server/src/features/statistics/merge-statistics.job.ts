import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { countUnmergedStatistics, mergeSomeStatistics } from './statistics.db.ts'

// Fewer rows are not worth merging: reading them takes a fraction of a millisecond.
const minUnmerged = 500
const batchSize = 20_000

/** Merges the rows of the statistics that have the same values. */
export const mergeStatistics = job({
  name: 'statistics.merge',
  schedule: '* * * * *',
  retries: 0,
  expireInSeconds: 10 * 60,
  async handle({ db }, _, stopping) {
    if ((await countUnmergedStatistics(db)) < minUnmerged) return
    await inBatches(batchSize, (limit) => mergeSomeStatistics(db, limit), stopping)
  },
})
