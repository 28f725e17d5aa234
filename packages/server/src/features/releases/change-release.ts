import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { conflictsAs, type Conflicts } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { versionColumns } from '../../http/version-parts.ts'
import { shortId } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { insertNamedLabels } from '../labels/label.db.ts'
import {
  deleteOtherReleaseBuilds,
  deleteReleaseBuild,
  insertReleaseBuilds,
  requireBuilds,
  updateReleaseLabels,
} from './release-build.db.ts'
import {
  deleteReleaseRow,
  insertRelease,
  requireFullRelease,
  requireLockedRelease,
  updateRelease,
  type ReleaseRow,
} from './release.db.ts'
import {
  mostBuilds,
  type FullRelease,
  type NewRelease,
  type ReleaseChanges,
  releaseFacts,
} from './release.ts'

type Place = { id: string; workspace_id: string }
type Wish = Static<typeof ReleaseChanges> & { buildIds?: string[]; addBuild?: string; removeBuild?: string }

const gone = () =>
  new Problem('conflict', 'release.reference_gone', 'A build or label of this release was just deleted.')
const problems: Conflicts = {
  release_builds_build_id_application_id_fkey: gone,
  release_labels_label_id_workspace_id_fkey: gone,
}

export async function makeRelease(
  call: Call,
  application: Place,
  wish: Static<typeof NewRelease>,
): Promise<FullRelease> {
  return conflictsAs(problems, () =>
    inTransaction(call.db, async (tx) => {
      const place = {
        id: shortId(10),
        application_id: application.id,
        workspace_id: application.workspace_id,
      }
      const notes = wish.notes === '' ? null : (wish.notes ?? null)
      await requireBuilds(tx, application.id, wish.build_ids ?? [])
      await insertRelease(tx, { ...place, ...versionColumns(wish), title: wish.title.trim(), notes })
      await insertReleaseBuilds(tx, place, wish.build_ids ?? [])
      await updateReleaseLabels(tx, place, await labelsFor(tx, application, wish.labels ?? []))
      const release = await requireFullRelease(tx, application.id, place.id, call.config)
      await recordEvent(tx, call, {
        action: 'release.created',
        applicationId: application.id,
        subject: { type: 'release', id: release.id },
        after: releaseFacts(release),
        events: [{ name: 'release.created', data: { release } }],
      })
      return release
    }),
  )
}

/** Changes what is given of one release, tells it in the audit log and, where it changed, to webhooks; answers it. */
export async function changeRelease(
  call: Call,
  application: Place,
  id: string,
  wish: Wish,
): Promise<FullRelease> {
  return conflictsAs(problems, () =>
    inTransaction(call.db, async (tx) => {
      const row = await requireLockedRelease(tx, application.id, id)
      const before = await requireFullRelease(tx, application.id, id, call.config)
      await changeBuilds(tx, row, wish)
      if (wish.labels !== undefined)
        await updateReleaseLabels(tx, row, await labelsFor(tx, application, wish.labels))
      await updateRelease(tx, id, {
        ...versionColumns(wish, row),
        ...(wish.title === undefined ? {} : { title: wish.title.trim() }),
        ...(wish.notes === undefined ? {} : { notes: wish.notes === '' ? null : wish.notes }),
      })
      const release = await requireFullRelease(tx, application.id, id, call.config)
      const [old, facts] = [releaseFacts(before), releaseFacts(release)]
      const isAsBefore = isDeepStrictEqual(old, facts)
      await recordEvent(tx, call, {
        action: 'release.updated',
        applicationId: application.id,
        subject: { type: 'release', id },
        before: old,
        after: facts,
        events: isAsBefore ? [] : [{ name: 'release.updated', data: { release } }],
      })
      return release
    }),
  )
}

export async function dropRelease(call: Call, applicationId: string, id: string): Promise<void> {
  await inTransaction(call.db, async (tx) => {
    await requireLockedRelease(tx, applicationId, id)
    const release = await requireFullRelease(tx, applicationId, id, call.config)
    await deleteReleaseRow(tx, id)
    await recordEvent(tx, call, {
      action: 'release.deleted',
      applicationId,
      subject: { type: 'release', id },
      before: releaseFacts(release),
      events: [{ name: 'release.deleted', data: { release } }],
    })
  })
}

async function changeBuilds(tx: Tx, release: ReleaseRow, { buildIds, addBuild, removeBuild }: Wish) {
  if (buildIds !== undefined) {
    await requireBuilds(tx, release.application_id, buildIds)
    await deleteOtherReleaseBuilds(tx, release.id, buildIds)
    await insertReleaseBuilds(tx, release, buildIds)
  }
  if (addBuild !== undefined) {
    await requireBuilds(tx, release.application_id, [addBuild])
    if (release.build_count >= mostBuilds)
      throw new Problem('conflict', 'release.full', `A release holds at most ${mostBuilds} builds.`)
    await insertReleaseBuilds(tx, release, [addBuild])
  }
  if (removeBuild !== undefined) await deleteReleaseBuild(tx, release.id, removeBuild)
}

const labelsFor = (tx: Tx, { id, workspace_id }: Place, labels: string[]) =>
  insertNamedLabels(
    tx,
    { applicationId: id, workspaceId: workspace_id },
    labels.map((label) => label.trim()),
  )
