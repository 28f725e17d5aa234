import type { Deps } from '../../deps.ts'
import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { requireSoundClock } from '../../jobs/sound-clock.ts'
import { deleteSomeSweptUploads } from './pending-upload.db.ts'

const keptDays = 30

/** Drops uploads that were aborted or expired, 30 days after their bytes went: until then their id tells what became of them. */
export const dropUploads = job({
  name: 'uploads.drop',
  schedule: '47 4 * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  handle: (deps, _, stopping) => dropEndedUploads(deps, stopping),
})

export async function dropEndedUploads(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await requireSoundClock(deps)
  const uploads = await inBatches(1_000, (most) => deleteSomeSweptUploads(deps.db, keptDays, most), stopping)
  if (uploads > 0) deps.log.info({ uploads }, 'dropped ended uploads')
}
