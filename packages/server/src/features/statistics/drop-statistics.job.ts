import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeOldStatistics } from './statistics.db.ts'

/** Deletes the numbers of uploads and downloads per day after 400 days. */
export const dropStatistics = retentionJob({
  name: 'statistics.drop',
  schedule: '57 4 * * *',
  keptDays: 400,
  deleteSome: deleteSomeOldStatistics,
  log: 'deleted old statistics',
})
