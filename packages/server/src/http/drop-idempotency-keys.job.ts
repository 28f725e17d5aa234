import type { Deps } from '../deps.ts'
import { inBatches } from '../jobs/in-batches.ts'
import { job } from '../jobs/job.ts'
import { requireSoundClock } from '../jobs/sound-clock.ts'
import { deleteSomeOldKeys } from './idempotency.db.ts'

/** Drops keys whose 24 hours are over: their answers are given no more. */
export const dropIdempotencyKeys = job({
  name: 'http.drop-idempotency-keys',
  schedule: '29 * * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  handle: (deps, _, stopping) => dropOldIdempotencyKeys(deps, stopping),
})

export async function dropOldIdempotencyKeys(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await requireSoundClock(deps)
  const keys = await inBatches(1_000, (most) => deleteSomeOldKeys(deps.db, most), stopping)
  if (keys > 0) deps.log.info({ keys }, 'dropped old idempotency keys')
}
