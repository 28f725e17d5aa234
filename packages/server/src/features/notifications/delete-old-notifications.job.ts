import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeOldNotifications } from './notification.db.ts'

/** Deletes notifications after 90 days. */
export const dropNotifications = retentionJob({
  name: 'notifications.drop',
  schedule: '37 4 * * *',
  keptDays: 90,
  deleteSome: deleteSomeOldNotifications,
  log: 'deleted old notifications',
})
