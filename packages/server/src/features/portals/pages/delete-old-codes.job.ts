import { retentionJob } from '../../../jobs/retention-job.ts'
import { deleteSomeOldCodes, deleteSomeOldSessions } from './portal-code.db.ts'

/** Deletes requests for codes of private portals, which include client addresses, after a day. */
export const dropPortalCodes = retentionJob({
  name: 'portals.drop-codes',
  schedule: '29 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldCodes,
  log: 'deleted old codes of private portals',
})

/** Deletes sessions of visitors of private portals a day after they expire. */
export const dropPortalSessions = retentionJob({
  name: 'portals.drop-sessions',
  schedule: '31 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldSessions,
  log: 'deleted expired sessions of private portals',
})
