import type { Deps } from '../../deps.ts'
import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { requireSoundClock } from '../../jobs/sound-clock.ts'
import { deleteSomeOldRequests } from './webhook-request.db.ts'

const keptDays = 30

/** The log of what was sent to webhooks keeps 30 days. */
export const dropWebhookRequests = job({
  name: 'webhooks.drop-requests',
  schedule: '17 4 * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  handle: (deps, _, stopping) => dropOldWebhookRequests(deps, stopping),
})

export async function dropOldWebhookRequests(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await requireSoundClock(deps)
  const requests = await inBatches(1_000, (most) => deleteSomeOldRequests(deps.db, keptDays, most), stopping)
  if (requests > 0) deps.log.info({ requests }, 'dropped old webhook requests')
}
