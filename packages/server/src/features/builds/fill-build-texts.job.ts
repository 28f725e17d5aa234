import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { countMissingTexts, fillBuildTexts } from './build-search.db.ts'

// A search computes fewer texts than this in a few milliseconds.
const minMissing = 200
const batchSize = 500

/** Computes the texts of new and changed builds, so that a search finds them through an index. */
export const fillTexts = job({
  name: 'builds.texts',
  schedule: '* * * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  async handle({ db }, _, stopping) {
    if ((await countMissingTexts(db, minMissing)) < minMissing) return
    await inBatches(batchSize, (limit) => fillBuildTexts(db, limit), stopping)
  },
})
