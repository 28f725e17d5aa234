import type { ApplicationRef } from '../../access/application.db.ts'
import { filetypeFor, initialProcessing } from '../../catalog/filetypes.ts'
import { readClock } from '../../database/health.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvents, type Change } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { shortId } from '../../lib/ids.ts'
import { versionSortKey } from '../../lib/semver.ts'
import type { SealedObject } from '../../storage/driver.ts'
import { insertBuildLabels } from '../builds/build-label.db.ts'
import { insertBuild } from '../builds/build.db.ts'
import { hashFile } from '../builds/files/hash-file.job.ts'
import { inspectBuild } from '../builds/inspection/inspect-build.job.ts'
import { insertNamedLabels } from '../labels/label.db.ts'
import { insertReleaseBuilds, saveReleaseLabels } from '../releases/release-build.db.ts'
import { insertRelease } from '../releases/release.db.ts'
import { insertShareLink } from '../share-links/share-link.db.ts'
import { requireSampleStreamId } from './sample-application.db.ts'
import { sampleRelease, type SampleBuild } from './sample-content.ts'

/** A build whose file is already in the storage. */
export type StoredSample = { build: SampleBuild; filename: string; object: SealedObject }

const versionColumns = ({
  version: [major, minor, patch],
  extra,
}: Pick<SampleBuild, 'version' | 'extra'>) => ({
  version_major: major,
  version_minor: minor,
  version_patch: patch,
  version_extra: extra,
  version_meta: null,
  version_sort: versionSortKey({ major, minor, patch, extra, meta: null }),
})

/** Inserts the builds. Returns the IDs of those of the release. */
export async function insertSampleBuilds(
  tx: Tx,
  call: Call,
  owner: ApplicationRef,
  stored: readonly StoredSample[],
): Promise<string[]> {
  const ids: string[] = []
  const now = await readClock(tx)
  for (const { build, filename, object } of stored) {
    const { platform, label, stream } = build
    const filetype = filetypeFor({ platform, filename })?.identifier ?? ''
    const id = shortId(10)
    const processing = initialProcessing(filetype)
    const row = {
      id,
      workspace_id: owner.workspaceId,
      application_id: owner.applicationId,
      ...versionColumns(build),
      build_structure: 'file',
      build_number: String(build.buildNumber),
      platform,
      stream_id: await requireSampleStreamId(tx, owner, stream),
      notes: build.notes,
      build_source: 'github-actions',
      scm_branch: build.branch,
      scm_commit_sha: build.commit,
      size_total_bytes: object.sizeBytes,
      processing,
      created_at: new Date(now.getTime() - build.ageMinutes * 60_000),
    }
    const files = [{ role: 'primary', filename, filetype, object }]
    for (const fileId of await insertBuild(tx, row, files)) await call.queue.enqueue(tx, hashFile, { fileId })
    if (processing !== 'none') await call.queue.enqueue(tx, inspectBuild, { buildId: id })
    const labels = await insertNamedLabels(tx, owner, [label])
    await insertBuildLabels(tx, [
      { id, application_id: owner.applicationId, workspace_id: owner.workspaceId, labels },
    ])
    if (build.extra === null) ids.push(id)
  }
  return ids
}

/** Inserts a published release of these builds, and a share link to it. */
export async function insertSampleRelease(
  tx: Tx,
  call: Call,
  owner: ApplicationRef,
  buildIds: string[],
): Promise<void> {
  const release = { id: shortId(10), application_id: owner.applicationId, workspace_id: owner.workspaceId }
  const { title, notes, label } = sampleRelease
  await insertRelease(tx, {
    ...release,
    ...versionColumns({ version: [1, 0, 0], extra: null }),
    title,
    notes,
    status: 'published',
  })
  await insertReleaseBuilds(tx, release, buildIds)
  await saveReleaseLabels(tx, release, await insertNamedLabels(tx, owner, [label]))
  const linkId = shortId(10)
  await insertShareLink(tx, {
    id: linkId,
    workspace_id: owner.workspaceId,
    application_id: owner.applicationId,
    release_id: release.id,
    created_by: call.actor.id,
  })
  const { applicationId } = owner
  const changes: Change[] = [
    {
      action: 'release.created',
      applicationId,
      subject: { type: 'release', id: release.id },
      after: { title, version: '1.0.0', status: 'published', build_ids: buildIds },
    },
    {
      action: 'share_link.created',
      applicationId,
      subject: { type: 'share_link', id: linkId },
      after: { release_id: release.id },
    },
  ]
  await recordEvents(tx, call, changes)
}
