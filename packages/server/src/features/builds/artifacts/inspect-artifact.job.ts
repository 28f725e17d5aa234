import { inTransaction } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { artifactFiletype, type ArtifactFormat } from '../../../inspection/artifacts/artifact-format.ts'
import {
  maxArtifactHeadBytes,
  mayContainDebugIds,
  recognizeArtifact,
} from '../../../inspection/artifacts/recognize-artifact.ts'
import { job } from '../../../jobs/job.ts'
import { DamagedFile } from '../../../storage/damaged-file.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import { objectSource } from '../../../storage/objects/object-source.ts'
import { findStoredObject } from '../../../storage/objects/stored-objects.db.ts'
import { saveArtifactReading } from '../inspection/build-reading.db.ts'
import { replaceDebugIds } from '../inspection/debug-id.db.ts'
import { inspectObject } from '../inspection/inspect-object.ts'
import {
  findMetadataArtifact,
  listMetadataArtifacts,
  saveArtifactChecksumError,
  saveArtifactChecksums,
  saveArtifactInspection,
} from './metadata-artifact.db.ts'

/** Increase this number when more can be read from artifacts. `reread-builds.job.ts` then reads existing artifacts again. */
export const artifactInspectionVersion = 1

export const artifactReading = { kind: 'artifacts', version: artifactInspectionVersion } as const

/** Computes the missing checksums of a metadata artifact, and reads its format and debug IDs. */
export const inspectArtifact = job<{ artifactId: string }>({
  name: 'builds.inspect-artifact',
  waitsForUploads: true,
  // Only failures of the database or storage are retried.
  retries: 20,
  concurrency: 2,
  expireInSeconds: 6 * 60 * 60,
  async handle(deps, { artifactId }, stopping) {
    await inspect(deps, artifactId, stopping)
  },
})

/**
 * Inspects the metadata artifacts of a build whose job was lost, and those that an older version inspected or did not
 * inspect. Returns false if that has to be done later.
 */
export async function reinspectArtifacts(
  deps: Deps,
  buildId: string,
  stopping: AbortSignal,
): Promise<boolean> {
  let isComplete = true
  const errors: unknown[] = []
  for (const { id } of await listMetadataArtifacts(deps.db, buildId)) {
    stopping.throwIfAborted()
    // An artifact that cannot be read does not delay the others.
    const isInspected = await inspect(deps, id, stopping).catch((error: unknown) => errors.push(error) < 0)
    isComplete &&= isInspected
  }
  if (errors.length > 0) throw errors[0]
  // The build may have no artifact any more, or only artifacts that were inspected before.
  if (isComplete)
    await inTransaction(deps.db, (tx) => saveArtifactReading(tx, buildId, artifactInspectionVersion))
  return isComplete
}

/** Returns false if the artifact has to be inspected later. */
async function inspect(deps: Deps, artifactId: string, stopping: AbortSignal): Promise<boolean> {
  const { db, storage, log, metrics } = deps
  const artifact = await findMetadataArtifact(db, artifactId)
  if (artifact === undefined || artifact.inspection_version >= artifactInspectionVersion) return true
  const object = await findStoredObject(db, artifact.object_key)
  if (object === undefined) return false
  let format = artifact.format as ArtifactFormat | null
  let ids: Awaited<ReturnType<typeof readArtifact>>['ids'] = []
  try {
    if (artifact.checksum_md5 === null || artifact.checksum_sha256 === null)
      await saveArtifactChecksums(db, artifactId, await storage.checksums(object, { signal: stopping }))
    const found = await readArtifact(deps, object, artifact.filename, stopping)
    format = found.format
    ids = found.ids
  } catch (error) {
    // The file may be missing because its disk is not mounted, so the job is retried.
    if (!(error instanceof DamagedFile) || error.code === 'storage.file_missing') throw error
    const message = 'a stored artifact differs from what was uploaded; restore it from a backup'
    log.error({ alarm: 'storage', artifact: artifactId, key: object.key, part: error.partName }, message)
    metrics.recordDamagedFile()
    await saveArtifactChecksumError(db, artifactId, error.message)
  }
  await inTransaction(db, async (tx) => {
    const version = artifactInspectionVersion
    if (!(await saveArtifactInspection(tx, artifactId, { format, version }))) return
    await replaceDebugIds(
      tx,
      { buildId: artifact.build_id, artifactId },
      // The file itself has no name in its content.
      ids.map((id) => ({ ...id, name: id.name ?? artifact.filename })),
    )
    await saveArtifactReading(tx, artifact.build_id, version)
  })
  return true
}

async function readArtifact(deps: Deps, object: SealedObject, filename: string, stopping: AbortSignal) {
  const source = objectSource(deps.storage, object)
  const head = await source.read(0, Math.min(object.sizeBytes, maxArtifactHeadBytes))
  const recognized = recognizeArtifact(head, filename)
  if (!mayContainDebugIds(head, recognized)) return { format: recognized, ids: [] }
  const found = await inspectObject(deps, object, artifactFiletype, stopping)
  if ('reason' in found) return { format: recognized, ids: [] }
  return { format: found.artifact_format ?? recognized, ids: found.debug_ids }
}
