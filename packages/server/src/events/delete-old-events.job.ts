import { retentionJob } from '../jobs/retention-job.ts'
import { deleteSomeDispatchedEvents } from './event.db.ts'

/** Deletes events 30 days after they were dispatched. */
export const dropEvents = retentionJob({
  name: 'events.drop',
  schedule: '27 4 * * *',
  keptDays: 30,
  deleteSome: deleteSomeDispatchedEvents,
  log: 'deleted old events',
})
