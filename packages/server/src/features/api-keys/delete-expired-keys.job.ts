import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeExpiredTokenKeys } from './api-key.db.ts'

/**
 * Deletes the API keys of CI runs a week after they expire, because they would otherwise clutter the lists of API keys.
 */
export const sweepPublisherKeys = retentionJob({
  name: 'api-keys.sweep-publisher-keys',
  schedule: '41 2 * * *',
  keptDays: 7,
  deleteSome: deleteSomeExpiredTokenKeys,
  log: 'deleted expired keys of CI runs',
})
