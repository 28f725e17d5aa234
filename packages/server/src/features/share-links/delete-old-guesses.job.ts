import { retentionJob } from '../../jobs/retention-job.ts'
import { deleteSomeOldGuesses } from './share-link-guess.db.ts'

/**
 * Deletes the counts of incorrect share link passwords, which include client addresses, a day after the counts expire.
 */
export const dropGuesses = retentionJob({
  name: 'share-links.drop-guesses',
  schedule: '23 * * * *',
  keptDays: 1,
  deleteSome: deleteSomeOldGuesses,
  log: 'deleted old counts of wrong share link passwords',
})
