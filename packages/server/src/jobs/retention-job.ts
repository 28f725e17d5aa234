import type { Executor } from '../database/transaction.ts'
import { assertDeletionAllowed } from './deletion-guard.ts'
import { inBatches } from './in-batches.ts'
import { job, type Job } from './job.ts'

const batchSize = 1_000

type Retention = Pick<Job, 'name'> & {
  schedule: string
  keptDays: number
  /** Deletes up to `limit` rows older than `keptDays` days and returns the number of deleted rows. */
  deleteSome: (db: Executor, keptDays: number, limit: number) => Promise<number>
  /** The message logged after a run that deleted rows. */
  log: string
}

/** Returns a job that deletes rows older than `keptDays` days in batches, unless `assertDeletionAllowed` throws. */
export const retentionJob = ({ name, schedule, keptDays, deleteSome, log }: Retention): Job =>
  job({
    name,
    schedule,
    retries: 0,
    expireInSeconds: 60 * 60,
    async handle(deps, _, stopping) {
      await assertDeletionAllowed(deps)
      const rows = await inBatches(batchSize, (limit) => deleteSome(deps.db, keptDays, limit), stopping)
      if (rows > 0) deps.log.info({ rows }, log)
    },
  })
