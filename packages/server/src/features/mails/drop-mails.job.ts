import type { Deps } from '../../deps.ts'
import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { requireSoundClock } from '../../jobs/sound-clock.ts'
import { deleteSomeOldMails } from './mail.db.ts'

const keptDays = 30

/** Drops mails after 30 days, those too that no SMTP server ever took. */
export const dropMails = job({
  name: 'mails.drop',
  schedule: '7 4 * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  handle: (deps, _, stopping) => dropOldMails(deps, stopping),
})

export async function dropOldMails(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await requireSoundClock(deps)
  const mails = await inBatches(1_000, (most) => deleteSomeOldMails(deps.db, keptDays, most), stopping)
  if (mails > 0) deps.log.info({ mails }, 'dropped old mails')
}
