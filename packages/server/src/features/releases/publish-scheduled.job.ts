import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { job } from '../../jobs/job.ts'
import { publishLockedRelease } from './release-status.ts'
import { findLockedDueRelease, listDueReleases } from './release.db.ts'

/** Publishes one release at its scheduled time. Does nothing if it was rescheduled, published or withdrawn. */
export const publishScheduled = job<{ releaseId: string }>({
  name: 'releases.publish-scheduled',
  retries: 3,
  expireInSeconds: 60 * 60,
  handle: (deps, { releaseId }) => publishIfDue(deps, releaseId),
})

/**
 * Publishes the due releases that their own job did not publish, because their application was in the trash or the
 * job failed.
 */
export const publishOverdue = job({
  name: 'releases.publish-overdue',
  schedule: '* * * * *',
  retries: 0,
  expireInSeconds: 60 * 60,
  async handle(deps, _, stopping) {
    for (const { id } of await listDueReleases(deps.db)) {
      if (stopping.aborted) return
      try {
        await publishIfDue(deps, id)
      } catch (err) {
        deps.log.error({ err, release: id }, 'a scheduled release could not be published')
      }
    }
  },
})

/** Enqueues the job that publishes the release at its scheduled time. Does nothing if the release is not scheduled. */
export async function enqueuePublication(
  tx: Tx,
  queue: Deps['queue'],
  { id: releaseId, scheduled_for: startAt }: { id: string; scheduled_for: string | null },
): Promise<void> {
  if (startAt !== null) await queue.enqueue(tx, publishScheduled, { releaseId }, { startAt })
}

async function publishIfDue(deps: Deps, id: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const row = await findLockedDueRelease(tx, id)
    if (row === undefined) return
    const { application_id: application, workspace_id: workspaceId } = row
    const actor = { via: 'system', id: null, name: 'Release schedule', workspaceId } as const
    const { notified_count } = await publishLockedRelease(tx, { ...deps, actor, address: null }, row)
    deps.log.info({ application, release: id, notified: notified_count }, 'published a scheduled release')
  })
}
