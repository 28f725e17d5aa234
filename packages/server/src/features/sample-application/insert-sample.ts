import type { ApplicationRef } from '../../access/application.db.ts'
import { filetypeFor, initialProcessing } from '../../catalog/filetypes.ts'
import { readClock } from '../../database/health.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvents, type Change } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { shortId, uuidV7 } from '../../lib/ids.ts'
import { versionSortKey } from '../../lib/semver.ts'
import type { SealedObject } from '../../storage/driver.ts'
import { insertStoredObject } from '../../storage/objects/stored-objects.db.ts'
import { insertBuild, insertBuildLabels } from '../builds/build.db.ts'
import { insertFile } from '../builds/files/file.db.ts'
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
    await insertBuild(tx, {
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
    })
    const labels = await insertNamedLabels(tx, owner, [label])
    await insertBuildLabels(tx, [
      { id, application_id: owner.applicationId, workspace_id: owner.workspaceId, labels },
    ])
    await insertSampleFile(tx, call, { buildId: id, filename, filetype }, object)
    if (processing !== 'none') await call.queue.enqueue(tx, inspectBuild, { buildId: id })
    if (build.extra === null) ids.push(id)
  }
  return ids
}

async function insertSampleFile(
  tx: Tx,
  { queue }: Call,
  { buildId, filename, filetype }: { buildId: string; filename: string; filetype: string },
  object: SealedObject,
): Promise<void> {
  await insertStoredObject(tx, object)
  const id = uuidV7()
  await insertFile(tx, {
    id,
    build_id: buildId,
    role: 'primary',
    filename,
    size_bytes: object.sizeBytes,
    checksum_md5: object.md5 ?? null,
    checksum_sha256: object.sha256 ?? null,
    checksum_sha1: object.sha1 ?? null,
    checksum_sha512: object.sha512 ?? null,
    filetype,
    object_key: object.key,
  })
  if (object.md5 === undefined || object.sha256 === undefined)
    await queue.enqueue(tx, hashFile, { fileId: id })
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
