import type { Deps } from '../../deps.ts'
import { job } from '../../jobs/job.ts'
import { requireSoundClock } from '../../jobs/sound-clock.ts'
import { listStoredKeys } from '../../storage/stored-objects.db.ts'
import { listKnownKeys } from './pending-upload.db.ts'

const graceMs = 48 * 60 * 60 * 1000

/**
 * Drops bytes that no row in any state knows. Rows come before bytes: a key without one belongs to an upload whose
 * row is gone for good, and none can appear for it later.
 */
export const sweepOrphans = job({
  name: 'uploads.sweep-orphans',
  schedule: '17 3 * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => sweepOrphanedBytes(deps, stopping),
})

export async function sweepOrphanedBytes(deps: Deps, stopping?: AbortSignal): Promise<void> {
  const { db, storage, clock, log } = deps
  await requireSoundClock(deps)
  const unchangedSince = new Date(clock.now().getTime() - graceMs)
  for await (const { key, state } of storage.listKeys({ unchangedSince })) {
    if (stopping?.aborted === true) return
    if ((await listKnownKeys(db, [key])).has(key)) continue
    if ((await listStoredKeys(db, [key])).has(key)) continue
    if (state === 'staged') await storage.discard(key, '')
    else await storage.remove({ key })
    log.info({ key, state }, 'dropped bytes that no row knows')
  }
}
