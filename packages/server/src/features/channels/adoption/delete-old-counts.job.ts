import { retentionJob } from '../../../jobs/retention-job.ts'
import { deleteSomeOldCounts } from './adoption.db.ts'

/** Deletes the counts of update requests after 90 days. */
export const dropRequestCounts = retentionJob({
  name: 'channels.drop-counts',
  schedule: '52 4 * * *',
  keptDays: 90,
  deleteSome: deleteSomeOldCounts,
  log: 'deleted old counts of update requests',
})
