import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { applicationRef, type ApplicationRow } from '../../access/application.db.ts'
import { conflictsAs, type Conflicts } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { versionColumns } from '../../http/endpoint/version-parts.ts'
import { shortId } from '../../lib/ids.ts'
import { problem } from '../../lib/problem.ts'
import { insertNamedLabels } from '../labels/label.db.ts'
import {
  deleteOtherReleaseBuilds,
  deleteReleaseBuild,
  insertReleaseBuilds,
  requireLockedBuilds,
  saveReleaseLabels,
} from './release-build.db.ts'
import { initialStatusColumns } from './release-status.ts'
import {
  announceSchedule,
  insertRelease,
  markReleaseUpdated,
  requireLockedRelease,
  saveRelease,
  type ReleaseRow,
} from './release.db.ts'
import {
  maxReleaseBuilds,
  type FullRelease,
  type NewRelease,
  type ReleaseChanges,
  releaseAuditSnapshot,
  requireFullRelease,
} from './release.ts'

type Changes = Static<typeof ReleaseChanges> & {
  buildIds?: string[]
  addBuild?: string
  removeBuild?: string
}

export const referenceGone = problem(
  'conflict',
  'release.reference_gone',
  'A build or label of this release was just deleted. Try again.',
)
const conflicts: Conflicts = {
  release_builds_build_id_application_id_fkey: referenceGone,
  release_labels_label_id_workspace_id_fkey: referenceGone,
}

/** Creates a release with its builds and labels and returns it. */
export async function addRelease(
  call: Call,
  application: ApplicationRow,
  input: Static<typeof NewRelease>,
): Promise<FullRelease> {
  const statusColumns = await initialStatusColumns(input, call.db)
  return conflictsAs(conflicts, () =>
    inTransaction(call.db, async (tx) => {
      const ids = {
        id: shortId(10),
        application_id: application.id,
        workspace_id: application.workspace_id,
      }
      const notes = input.notes === '' ? null : (input.notes ?? null)
      await requireLockedBuilds(tx, application.id, input.build_ids ?? [])
      const title = input.title.trim()
      await insertRelease(tx, { ...ids, ...statusColumns, ...versionColumns(input), title, notes })
      await insertReleaseBuilds(tx, ids, input.build_ids ?? [])
      await saveReleaseLabels(tx, ids, await labelsFor(tx, application, input.labels ?? []))
      const release = await requireFullRelease(tx, application.id, ids.id, call.config)
      await recordEvent(tx, call, {
        action: 'release.created',
        applicationId: application.id,
        subject: { type: 'release', id: release.id },
        after: releaseAuditSnapshot(release),
        events: release.status === 'published' ? [{ name: 'release.created', data: { release } }] : [],
      })
      await call.dependents.notifyMentioned(tx, call, {
        ...applicationRef(application),
        releaseId: release.id,
        text: notes,
      })
      if (release.status === 'scheduled') await announceSchedule(tx)
      return release
    }),
  )
}

/** Updates a release and returns it. Records no event if nothing changed. */
export async function changeRelease(
  call: Call,
  application: ApplicationRow,
  id: string,
  changes: Changes,
): Promise<FullRelease> {
  return conflictsAs(conflicts, () =>
    inTransaction(call.db, async (tx) => {
      const row = await requireLockedRelease(tx, application.id, id)
      const before = await requireFullRelease(tx, application.id, id, call.config)
      await changeBuilds(tx, row, changes)
      if (changes.labels !== undefined)
        await saveReleaseLabels(tx, row, await labelsFor(tx, application, changes.labels))
      await saveRelease(tx, id, {
        ...versionColumns(changes, row),
        ...(changes.title === undefined ? {} : { title: changes.title.trim() }),
        ...(changes.notes === undefined ? {} : { notes: changes.notes === '' ? null : changes.notes }),
      })
      const saved = await requireFullRelease(tx, application.id, id, call.config)
      const after = releaseAuditSnapshot(saved)
      if (isDeepStrictEqual(releaseAuditSnapshot(before), after)) return saved
      // Builds and labels are in other tables, so saving them does not change `updated_at` in the release row.
      await markReleaseUpdated(tx, id)
      await call.dependents.notifyMentioned(tx, call, {
        ...applicationRef(application),
        releaseId: id,
        text: saved.notes,
        before: before.notes,
      })
      const release = await requireFullRelease(tx, application.id, id, call.config)
      await recordEvent(tx, call, {
        action: 'release.updated',
        applicationId: application.id,
        subject: { type: 'release', id },
        before: releaseAuditSnapshot(before),
        after,
        // Webhooks report only published releases.
        events: release.status === 'published' ? [{ name: 'release.updated', data: { release } }] : [],
      })
      return release
    }),
  )
}

async function changeBuilds(tx: Tx, release: ReleaseRow, { buildIds, addBuild, removeBuild }: Changes) {
  if (buildIds !== undefined) {
    await requireLockedBuilds(tx, release.application_id, buildIds)
    await deleteOtherReleaseBuilds(tx, release.id, buildIds)
    await insertReleaseBuilds(tx, release, buildIds)
  }
  if (addBuild !== undefined) {
    await requireLockedBuilds(tx, release.application_id, [addBuild])
    if (release.build_count >= maxReleaseBuilds) throw releaseFull()
    await insertReleaseBuilds(tx, release, [addBuild])
  }
  if (removeBuild !== undefined) await deleteReleaseBuild(tx, release.id, removeBuild)
}

export const releaseFull = problem(
  'conflict',
  'release.full',
  `A release can have at most ${maxReleaseBuilds} builds. Remove one first.`,
)

const labelsFor = (tx: Tx, application: ApplicationRow, labels: string[]) =>
  insertNamedLabels(
    tx,
    applicationRef(application),
    labels.map((label) => label.trim()),
  )
