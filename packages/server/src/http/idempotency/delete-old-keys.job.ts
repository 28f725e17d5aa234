import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeOldKeys } from './idempotency.db.ts'

/** Deletes idempotency keys and their stored responses after 24 hours. */
export const dropIdempotencyKeys = retentionJob({
  name: 'http.drop-idempotency-keys',
  schedule: '29 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldKeys,
  log: 'deleted old idempotency keys',
})
