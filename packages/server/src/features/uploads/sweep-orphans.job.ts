import type { Deps } from '../../deps.ts'
import { assertClockInSync } from '../../jobs/clock-skew.ts'
import { job } from '../../jobs/job.ts'
import { orphanGraceHours } from '../../storage/marked-objects.db.ts'
import { listStoredKeys } from '../../storage/stored-objects.db.ts'
import { listPendingKeys } from './upload-sweep.db.ts'

/**
 * Deletes bytes that no row refers to. A row is always inserted before its bytes are written, so a key without a row
 * belongs to an upload whose row was deleted, and no row can appear for it later.
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
  await assertClockInSync(deps)
  const unchangedSince = new Date(clock.now().getTime() - orphanGraceHours * 60 * 60 * 1000)
  for await (const { key, state } of storage.listKeys({ unchangedSince })) {
    if (stopping?.aborted === true) return
    if ((await listPendingKeys(db, [key])).has(key)) continue
    if ((await listStoredKeys(db, [key])).has(key)) continue
    if (state === 'staged') await storage.discard(key, '')
    else await storage.remove({ key })
    log.info({ key, state }, 'deleted orphaned bytes')
  }
}
