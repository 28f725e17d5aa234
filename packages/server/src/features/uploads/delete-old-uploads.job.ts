import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeSweptUploads } from './pending-upload.db.ts'

/**
 * Deletes aborted and expired uploads 30 days after their bytes are deleted. Until then, clients can query their
 * status.
 */
export const dropUploads = retentionJob({
  name: 'uploads.drop',
  schedule: '47 4 * * *',
  keptDays: 30,
  deleteSome: deleteSomeSweptUploads,
  log: 'deleted old aborted and expired uploads',
})
