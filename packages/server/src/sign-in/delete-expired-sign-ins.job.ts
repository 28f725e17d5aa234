import { retentionJob } from '../jobs/retention-job.ts'
import { deleteSomeOldGuesses } from './guess.db.ts'
import { deleteSomeExpiredSessions, deleteSomeExpiredVerifications } from './session.db.ts'

/** Deletes sessions, which include client addresses, a day after they expire. */
export const dropSessions = retentionJob({
  name: 'sign-in.drop-sessions',
  schedule: '33 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeExpiredSessions,
  log: 'deleted expired sessions',
})

/** Deletes the links in emails and the state of unfinished sign-ins a day after they expire. */
export const dropVerifications = retentionJob({
  name: 'sign-in.drop-verifications',
  schedule: '43 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeExpiredVerifications,
  log: 'deleted expired verifications',
})

/**
 * Deletes the counts of failed sign-ins a day after they end. The networks and devices of successful sign-ins are kept
 * for 90 days.
 */
export const dropSignInGuesses = retentionJob({
  name: 'sign-in.drop-guesses',
  schedule: '53 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldGuesses,
  log: 'deleted old counts of failed sign-ins',
})
