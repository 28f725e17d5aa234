import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { deleteSomeEventsOfApplication } from '../../events/event.db.ts'
import { recordEvent } from '../../events/record-event.ts'
import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { requireSoundClock } from '../../jobs/sound-clock.ts'
import { Problem } from '../../lib/problem.ts'
import { updateStoredObjectsDeleted } from '../../storage/stored-objects.db.ts'
import { deleteSomeReleasesOfApplication } from '../releases/release.db.ts'
import { deleteSomeUploadsOfApplication } from '../uploads/pending-upload.db.ts'
import { deleteSomeRequestsOfApplication } from '../webhooks/webhook-request.db.ts'
import {
  deleteApplicationRow,
  findHasBuilds,
  findLockedOverdueApplication,
  listIconKeys,
} from './application-purge.db.ts'
import { listOverdueApplications } from './application.db.ts'
import { applicationFacts } from './application.ts'

const atOnce = 1_000

/**
 * Removes applications whose days in the trash are over, once `builds.purge` has taken their builds: what there may
 * be much of first, in batches, then the row with the rest.
 */
export const purgeApplications = job({
  name: 'applications.purge',
  schedule: '43 * * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => purgeOverdueApplications(deps, stopping),
})

export async function purgeOverdueApplications(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await requireSoundClock(deps)
  for (const { id } of await listOverdueApplications(deps.db, deps.config.trashDays)) {
    if (stopping?.aborted === true) return
    try {
      if (await purgeApplication(deps, id, stopping))
        deps.log.info({ application: id }, 'purged an application')
    } catch (error) {
      if (error instanceof Problem && error.kind === 'unavailable') throw error
      deps.log.error({ err: error, application: id }, 'could not purge an application')
    }
  }
}

async function purgeApplication(
  { db, config, log }: Deps,
  id: string,
  stopping?: AbortSignal,
): Promise<boolean> {
  if (await inTransaction(db, (tx) => findHasBuilds(tx, id))) {
    log.info({ application: id }, 'an application waits for its builds to be purged')
    return false
  }
  // none of these can be wanted back: a restore is refused once the days are over
  const counts = {
    releases: await inBatches(atOnce, (most) => deleteSomeReleasesOfApplication(db, id, most), stopping),
    uploads: await inBatches(atOnce, (most) => deleteSomeUploadsOfApplication(db, id, most), stopping),
    webhook_requests: await inBatches(
      atOnce,
      (most) => deleteSomeRequestsOfApplication(db, id, most),
      stopping,
    ),
    events: await inBatches(atOnce, (most) => deleteSomeEventsOfApplication(db, id, most), stopping),
  }
  if (stopping?.aborted === true) return false
  return inTransaction(db, async (tx) => {
    const application = await findLockedOverdueApplication(tx, id, config.trashDays)
    // a verify that began before may have made a build meanwhile: the next run takes both
    if (application === undefined || (await findHasBuilds(tx, id))) return false
    await updateStoredObjectsDeleted(tx, await listIconKeys(tx, id))
    await deleteApplicationRow(tx, id)
    const actor = {
      via: 'system',
      keyId: null,
      name: 'Trash',
      workspaceId: application.workspace_id,
    } as const
    await recordEvent(
      tx,
      { actor, address: null },
      {
        action: 'application.purged',
        applicationId: id,
        subject: { type: 'application', id },
        before: { ...applicationFacts(application), deleted_at: application.deleted_at, ...counts },
      },
    )
    return true
  })
}
