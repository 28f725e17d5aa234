import { retentionJob } from '../../../jobs/retention-job.ts'
import { deleteSomeOldAccessRequests } from './access-request.db.ts'

/** Deletes requests for access a day after they were closed, until which they can be restored, and after 30 days. */
export const dropAccessRequests = retentionJob({
  name: 'access-requests.drop',
  schedule: '27 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldAccessRequests,
  log: 'deleted old access requests',
})
