import { retentionJob } from '../../../jobs/retention-job.ts'
import { deleteSomeOldViews } from './view.db.ts'

/** Deletes saved views a day after people have deleted them. Until then, they can be restored. */
export const dropViews = retentionJob({
  name: 'views.drop',
  schedule: '17 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldViews,
  log: 'deleted old views',
})
