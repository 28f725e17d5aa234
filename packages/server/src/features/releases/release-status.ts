import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { readClock } from '../../database/health.ts'
import type { Executor, Tx } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { recordEvent, recordEvents, type Change, type Initiator } from '../../events/record-event.ts'
import { readFutureTime } from '../../http/endpoint/future-time.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import {
  listBuildsOfReleases,
  listReleaseRows,
  markReleasesPublished,
  type ReleaseRow,
} from './release.db.ts'
import {
  fullReleaseResource,
  releaseAuditSnapshot,
  requireFullRelease,
  type FullRelease,
  type NewRelease,
  type ReleaseStatus,
} from './release.ts'

/** Returns the columns of a new release that depend on its status; throws `invalid` if a draft has a schedule. */
export async function initialStatusColumns(
  { draft = false, scheduled_for }: Static<typeof NewRelease>,
  db: Executor,
) {
  const statusColumns = (status: ReleaseStatus) => ({ status, published_at: null })
  if (typeof scheduled_for !== 'string') return draft ? statusColumns('draft') : { status: 'published' }
  if (draft)
    throw invalid({ scheduled_for: ['must not be set for a draft. Omit `draft` to schedule the release.'] })
  return {
    ...statusColumns('scheduled'),
    scheduled_for: readFutureTime('scheduled_for', scheduled_for, await readClock(db)),
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
  const [published] = await publishLockedReleases(tx, by, [row])
  if (published === undefined) throw new Error(`release ${row.id} does not exist`)
  return published
}

/**
 * Publishes releases of the initiator's workspace with the effects of `publishLockedRelease`. The number of statements
 * depends only on the number of emails.
 */
export async function publishLockedReleases(tx: Tx, by: Publisher, rows: ReleaseRow[]) {
  const ids = rows.map(({ id }) => id)
  const before = new Map(rows.map((row) => [row.id, row]))
  const builds = await listBuildsOfReleases(tx, ids)
  await markReleasesPublished(tx, ids)
  const notified = await by.dependents.notifyGroupsOfReleases(tx, by, ids)
  const published = (await listReleaseRows(tx, ids)).map((row) => ({
    release: fullReleaseResource(row, builds, by.config),
    before: fullReleaseResource(before.get(row.id) ?? row, builds, by.config),
    notified_count: notified.get(row.id) ?? 0,
  }))
  const changes = published.map(({ release, before: previous, notified_count }): Change => ({
    action: 'release.published',
    applicationId: release.application_id,
    subject: { type: 'release', id: release.id },
    before: releaseAuditSnapshot(previous),
    after: { ...releaseAuditSnapshot(release), notified_count },
    events: [
      // Webhooks have already reported the creation of a release that was published before.
      { name: previous.published_at === null ? 'release.created' : 'release.updated', data: { release } },
    ],
  }))
  await recordEvents(tx, by, changes)
  return published
}
