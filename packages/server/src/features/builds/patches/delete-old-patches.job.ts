import { assertDeletionAllowed } from '../../../jobs/deletion-guard.ts'
import { inBatches } from '../../../jobs/in-batches.ts'
import { job } from '../../../jobs/job.ts'
import { deleteSomeOldPatches } from './patch.db.ts'

const keptDays = 30
const batchSize = 1_000

/** Deletes patches 30 days after they were created. By then, most clients have updated. */
export const dropPatches = job({
  name: 'patches.drop',
  schedule: '41 * * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  async handle(deps, _, stopping) {
    await assertDeletionAllowed(deps)
    const rows = await inBatches(
      batchSize,
      (limit) => deleteSomeOldPatches(deps.db, keptDays, limit),
      stopping,
    )
    if (rows > 0) deps.log.info({ rows }, 'deleted old patches')
  },
})
