import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeOldReadPositions } from './read-position.db.ts'

/** Deletes the positions of callers that have not written for a day. Replicas are never that far behind. */
export const dropReadPositions = retentionJob({
  name: 'http.drop-read-positions',
  schedule: '19 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldReadPositions,
  log: 'deleted old positions of the read replica',
})
