import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeOldMails } from './mail.db.ts'

/** Deletes emails after 30 days, including those that were never sent. */
export const dropMails = retentionJob({
  name: 'mails.drop',
  schedule: '7 4 * * *',
  keptDays: 30,
  deleteSome: deleteSomeOldMails,
  log: 'deleted old emails',
})
