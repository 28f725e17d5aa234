import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeOldRequests } from './webhook-request.db.ts'

/** Deletes stored webhook requests after 30 days. */
export const dropWebhookRequests = retentionJob({
  name: 'webhooks.drop-requests',
  schedule: '17 4 * * *',
  keptDays: 30,
  deleteSome: deleteSomeOldRequests,
  log: 'deleted old webhook requests',
})
