import { needsProcessing } from '../../catalog/filetypes.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { shortId, uuidV7 } from '../../lib/ids.ts'
import { Problem } from '../../lib/problem.ts'
import { versionSortKey } from '../../lib/semver.ts'
import { insertStoredObject } from '../../storage/stored-objects.db.ts'
import { insertBuild, insertBuildLabels, requireFullBuild } from '../builds/build.db.ts'
import { buildFacts } from '../builds/build.ts'
import { insertFile } from '../builds/file.db.ts'
import { hashFile } from '../builds/hash-file.job.ts'
import { findCustomTarget } from '../custom-targets/custom-target.db.ts'
import { insertMissingLabels } from '../labels/label.db.ts'
import type { SealedFile } from './finish-upload.ts'
import type { PendingUpload } from './pending-upload.ts'
import type { BuildDraft } from './upload-draft.ts'

// A file in parts must be read once more for its checksums: small ones at once, so that verify can answer them,
// large ones by a job, so that verify of any size answers within 2 s (500 MB/s; the limit is for a machine that is busy).
const hashAtOnceBytes = 512 * 1024 * 1024
const hashAtOnceMs = 5_000

/** Adds the checksums that reading the bytes gives within a moment. */
export async function addKnownChecksums({ storage }: Call, files: SealedFile[]): Promise<SealedFile[]> {
  const signal = AbortSignal.timeout(hashAtOnceMs)
  return Promise.all(
    files.map(async ({ file, object }) => {
      const isKnown = object.md5 !== undefined && object.sha256 !== undefined
      if (isKnown || object.sizeBytes > hashAtOnceBytes) return { file, object }
      try {
        return { file, object: { ...object, ...(await storage.checksums(object, { signal })) } }
      } catch (error) {
        if (signal.aborted) return { file, object }
        throw error
      }
    }),
  )
}

/** Inserts the build, its files, labels and events: all of it or nothing. */
export async function createBuild(tx: Tx, call: Call, upload: PendingUpload, files: SealedFile[]) {
  const { workspace_id: workspaceId, application_id: applicationId } = upload
  const owner = { workspaceId, applicationId }
  const { stream_id: streamId } = upload
  if (streamId === null)
    throw new Problem(
      'bad_request',
      'upload.stream_deleted',
      'The stream of this upload was deleted. Request a new one.',
    )
  const { labels, custom_target_id, ...draft } = upload.draft as BuildDraft
  const target = custom_target_id === null ? undefined : await findCustomTarget(tx, owner, custom_target_id)
  const primary = files.find(({ file }) => file.role === 'primary')
  const id = shortId(10)
  await insertBuild(tx, {
    ...draft,
    id,
    workspace_id: workspaceId,
    application_id: applicationId,
    stream_id: streamId,
    custom_target_id: target?.id ?? null,
    version_sort: versionSortKey({
      major: draft.version_major,
      minor: draft.version_minor,
      patch: draft.version_patch,
      extra: draft.version_extra,
      meta: draft.version_meta,
    }),
    size_total_bytes: files.reduce((sum, { object }) => sum + object.sizeBytes, 0),
    processing: needsProcessing(primary?.file.filetype ?? '') ? 'waiting' : 'none',
  })
  await insertBuildLabels(tx, { id, ...owner }, await insertMissingLabels(tx, owner, labels))
  for (const sealed of files) await insertFileOf(tx, call, id, sealed)
  const build = await requireFullBuild(tx, applicationId, id, call.config)
  await recordEvent(tx, call, {
    action: 'build.created',
    applicationId,
    subject: { type: 'build', id },
    after: { ...buildFacts(build), platform: build.platform.identifier },
    events: [
      { name: 'build.created', data: { build } },
      { name: 'build.created.stream', data: { build, stream: build.stream } },
    ],
  })
  return build
}

async function insertFileOf(
  tx: Tx,
  { queue }: Call,
  buildId: string,
  { file, object }: SealedFile,
): Promise<void> {
  await insertStoredObject(tx, object)
  const id = uuidV7()
  await insertFile(tx, {
    id,
    build_id: buildId,
    role: file.role,
    filename: file.filename,
    size_bytes: object.sizeBytes,
    checksum_md5: object.md5 ?? null,
    checksum_sha256: object.sha256 ?? null,
    filetype: file.filetype,
    object_key: object.key,
  })
  if (object.md5 === undefined || object.sha256 === undefined)
    await queue.enqueue(tx, hashFile, { fileId: id })
}
