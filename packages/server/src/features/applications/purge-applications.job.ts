import { listOverdueApplications } from '../../access/application.db.ts'
import { inTransaction, type Db } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { deleteSomeEventsOfApplication } from '../../events/event.db.ts'
import { recordEvent } from '../../events/record-event.ts'
import { assertDeletionAllowed } from '../../jobs/deletion-guard.ts'
import { inBatches } from '../../jobs/in-batches.ts'
import { job } from '../../jobs/job.ts'
import { Problem } from '../../lib/problem.ts'
import { isStoreProblem } from '../../storage/custom/store-driver.ts'
import { markObjectsDeleted } from '../../storage/objects/stored-objects.db.ts'
import { deleteSomeChangesOfApplication } from '../changes/change.db.ts'
import { deleteSomeReleasesOfApplication } from '../releases/release.db.ts'
import { deleteSomeUploadsOfApplication, listUnsweptKeysOfApplication } from '../uploads/pending-upload.db.ts'
import { deleteSomeRequestsOfApplication } from '../webhooks/webhook-request.db.ts'
import {
  removeApplication,
  hasBuilds,
  findLockedOverdueApplication,
  listIconKeys,
} from './application-purge.db.ts'
import { applicationAuditSnapshot } from './application.ts'

const batchSize = 1_000

/**
 * Purges applications whose restore period has ended, after `builds.purge` has purged their builds. Deletes the rows of
 * potentially large tables in batches first, and then the application with its remaining rows in one transaction.
 */
export const purgeApplications = job({
  name: 'applications.purge',
  schedule: '43 * * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => purgeOverdueApplications(deps, stopping),
})

export async function purgeOverdueApplications(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await assertDeletionAllowed(deps)
  for (const { id } of await listOverdueApplications(deps.db, deps.config.trashDays)) {
    if (stopping?.aborted === true) return
    try {
      if (await purgeApplication(deps, id, stopping))
        deps.log.info({ application: id }, 'purged an application')
    } catch (error) {
      if (error instanceof Problem && error.kind === 'unavailable' && !isStoreProblem(error)) throw error
      deps.log.error({ err: error, application: id }, 'could not purge an application')
    }
  }
}

/** Purges an application whose restore period has ended; returns false if it has builds, or if the service stops. */
export async function purgeApplication(
  { db, config, log, storage }: Deps,
  id: string,
  stopping?: AbortSignal,
): Promise<boolean> {
  if (await inTransaction(db, (tx) => hasBuilds(tx, id))) {
    log.info({ application: id }, 'skipped an application whose builds are not purged yet')
    return false
  }
  // An overdue application can no longer be restored, so none of these rows will be needed again.
  const deleteAll = (deleteSome: (db: Db, id: string, limit: number) => Promise<number>) =>
    inBatches(batchSize, (limit) => deleteSome(db, id, limit), stopping)
  // Discards the upload objects before deleting their rows. Signed upload URLs may still be valid, but storage rejects
  // further bytes for discarded objects.
  for await (const key of listUnsweptKeysOfApplication(db, id)) await storage.discard(key, '')
  const counts = {
    releases: await deleteAll(deleteSomeReleasesOfApplication),
    uploads: await deleteAll(deleteSomeUploadsOfApplication),
    webhook_requests: await deleteAll(deleteSomeRequestsOfApplication),
    events: await deleteAll(deleteSomeEventsOfApplication),
    changes: await deleteAll(deleteSomeChangesOfApplication),
  }
  if (stopping?.aborted === true) return false
  return inTransaction(db, async (tx) => {
    const application = await findLockedOverdueApplication(tx, id, config.trashDays)
    // A concurrent verify call may have created a build; the next run purges the build and the application.
    if (application === undefined || (await hasBuilds(tx, id))) return false
    await markObjectsDeleted(tx, await listIconKeys(tx, id))
    await removeApplication(tx, id)
    const { workspace_id: workspaceId } = application
    const actor = { via: 'system', id: null, name: 'Trash', workspaceId } as const
    await recordEvent(
      tx,
      { actor, address: null },
      {
        action: 'application.purged',
        applicationId: id,
        subject: { type: 'application', id },
        before: { ...applicationAuditSnapshot(application), deleted_at: application.deleted_at, ...counts },
      },
    )
    return true
  })
}
