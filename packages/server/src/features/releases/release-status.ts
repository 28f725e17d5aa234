import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { recordEvent, type Change, type Initiator } from '../../events/record-event.ts'
import { readFutureTime } from '../../http/future-time.ts'
import { invalid } from '../../http/validation.ts'
import { markReleasePublished, type ReleaseRow } from './release.db.ts'
import {
  releaseAuditSnapshot,
  requireFullRelease,
  type FullRelease,
  type NewRelease,
  type ReleaseStatus,
} from './release.ts'

/** Returns the columns of a new release that depend on its status; throws `invalid` if a draft has a schedule. */
export function initialStatusColumns({ draft = false, scheduled_for }: Static<typeof NewRelease>, now: Date) {
  const statusColumns = (status: ReleaseStatus) => ({ status, published_at: null })
  if (typeof scheduled_for !== 'string') return draft ? statusColumns('draft') : { status: 'published' }
  if (draft)
    throw invalid({ scheduled_for: ['must not be set for a draft. Omit `draft` to schedule the release.'] })
  return {
    ...statusColumns('scheduled'),
    scheduled_for: readFutureTime('scheduled_for', scheduled_for, now),
  }
}

type StatusChange = Pick<Change, 'action'> & {
  /** Saves the new status and returns additional details for the audit log. */
  save: () => Promise<object | void>
  event?: 'release.created' | 'release.updated' | 'release.withdrawn' | undefined
}

/**
 * Changes the status of a locked release and records the change. Records nothing if neither the status nor the schedule
 * changes.
 */
export async function changeReleaseStatus(
  tx: Tx,
  by: Initiator & Pick<Deps, 'config'>,
  { id, application_id: applicationId }: ReleaseRow,
  { action, save, event }: StatusChange,
): Promise<FullRelease> {
  const before = releaseAuditSnapshot(await requireFullRelease(tx, applicationId, id, by.config))
  const details = await save()
  const release = await requireFullRelease(tx, applicationId, id, by.config)
  const after = releaseAuditSnapshot(release)
  if (isDeepStrictEqual(before, after)) return release
  await recordEvent(tx, by, {
    action,
    applicationId,
    subject: { type: 'release', id },
    before,
    after: { ...after, ...details },
    events: event === undefined ? [] : [{ name: event, data: { release } }],
  })
  return release
}

export type Publisher = Initiator & Pick<Deps, 'config' | 'dependents' | 'mailer' | 'queue' | 'secretBox'>

/**
 * Publishes a release that the caller has locked and that is not published, and notifies its distribution groups.
 * Returns the release and the number of members notified.
 */
export async function publishLockedRelease(tx: Tx, by: Publisher, row: ReleaseRow) {
  let notified_count = 0
  const release = await changeReleaseStatus(tx, by, row, {
    action: 'release.published',
    async save() {
      await markReleasePublished(tx, row.id)
      notified_count = await by.dependents.notifyGroupsOfRelease(tx, by, row)
      return { notified_count }
    },
    // Webhooks have already reported the creation of a release that was published before.
    event: row.published_at === null ? 'release.created' : 'release.updated',
  })
  return { release, notified_count }
}
