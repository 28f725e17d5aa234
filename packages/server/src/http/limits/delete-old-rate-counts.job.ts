import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeOldRateCounts } from './rate-count.db.ts'

/** Deletes the counts of rate limits, which include client addresses, a day after they end. */
export const dropRateCounts = retentionJob({
  name: 'http.drop-rate-counts',
  schedule: '13 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldRateCounts,
  log: 'deleted old counts of rate limits',
})
