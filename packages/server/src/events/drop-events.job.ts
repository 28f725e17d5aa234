import type { Deps } from '../deps.ts'
import { inBatches } from '../jobs/in-batches.ts'
import { job } from '../jobs/job.ts'
import { requireSoundClock } from '../jobs/sound-clock.ts'
import { deleteSomeDispatchedEvents } from './event.db.ts'

const keptDays = 30

/** Drops events 30 days after they were handed to all who wanted them. */
export const dropEvents = job({
  name: 'events.drop',
  schedule: '27 4 * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  handle: (deps, _, stopping) => dropDispatchedEvents(deps, stopping),
})

export async function dropDispatchedEvents(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await requireSoundClock(deps)
  const events = await inBatches(
    1_000,
    (most) => deleteSomeDispatchedEvents(deps.db, keptDays, most),
    stopping,
  )
  if (events > 0) deps.log.info({ events }, 'dropped old events')
}
