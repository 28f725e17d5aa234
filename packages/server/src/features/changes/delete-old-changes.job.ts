import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeOldChanges } from './change.db.ts'

/**
 * Deletes the entries for deleted resources from the changes feed after 30 days. A request with an older cursor returns
 * 410.
 */
export const dropChanges = retentionJob({
  name: 'changes.drop',
  schedule: '37 4 * * *',
  keptDays: 30,
  deleteSome: deleteSomeOldChanges,
  log: 'deleted old deletions from the changes feed',
})
