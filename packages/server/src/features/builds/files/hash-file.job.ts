import { keepUpdatedAt } from '../../../database/keep-updated-at.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { job } from '../../../jobs/job.ts'
import { DamagedFile, damageMessages } from '../../../storage/damaged-file.ts'
import type { AllDigests } from '../../../storage/objects/hashing.ts'
import { findStoredObject } from '../../../storage/objects/stored-objects.db.ts'
import {
  listMetadataArtifacts,
  saveArtifactChecksumError,
  saveArtifactChecksums,
} from '../artifacts/metadata-artifact.db.ts'
import { saveChecksumReading } from '../inspection/build-reading.db.ts'
import { findFile, listFiles, saveChecksumError, saveFileChecksums } from './file.db.ts'

/** Computes the checksums of a file that was uploaded in parts by reading the file again. */
export const hashFile = job<{ fileId: string }>({
  name: 'builds.hash-file',
  waitsForUploads: true,
  retries: 20,
  concurrency: 2,
  expireInSeconds: 6 * 60 * 60,
  async handle(deps, { fileId }, stopping) {
    const { db } = deps
    const file = await findFile(db, fileId)
    if (file === undefined || (file.checksum_md5 !== null && file.checksum_sha256 !== null)) return
    const checksums = await computeChecksums(deps, file, stopping)
    if (checksums === undefined) return
    if ('error' in checksums) await saveChecksumError(db, fileId, checksums.error)
    else await saveFileChecksums(db, fileId, checksums)
  },
})

/** The version of the checksums, which `reread-builds.job.ts` compares with that of each build. */
export const checksumReading = { kind: 'checksums', version: 1 } as const

/**
 * Computes the missing checksums of the files and metadata artifacts of a build: those that were not computed during the
 * upload, and those that earlier versions did not compute. Returns false if that has to be done later.
 */
export async function rehashBuild(deps: Deps, buildId: string, stopping: AbortSignal): Promise<boolean> {
  const { db } = deps
  let isComplete = true
  for (const file of await listFiles(db, buildId)) {
    if (file.checksum_sha512 !== null || file.checksum_error !== null) continue
    if (
      file.checksum_sha256 === null &&
      Date.parse(file.created_at) > deps.clock.now().getTime() - hashFileMs
    ) {
      isComplete = false
      continue
    }
    const checksums = await computeChecksums(deps, file, stopping)
    if (checksums === undefined) isComplete = false
    else if ('error' in checksums) await saveChecksumError(db, file.id, checksums.error)
    else
      await inTransaction(db, async (tx) => {
        if (file.checksum_sha256 === checksums.sha256) await keepUpdatedAt(tx)
        await saveFileChecksums(tx, file.id, checksums)
      })
  }
  for (const artifact of await listMetadataArtifacts(db, buildId)) {
    if (artifact.checksum_sha512 !== null || artifact.checksum_error !== null) continue
    const checksums = await computeChecksums(deps, artifact, stopping)
    if (checksums === undefined) isComplete = false
    else if ('error' in checksums) await saveArtifactChecksumError(db, artifact.id, checksums.error)
    else
      await inTransaction(db, async (tx) => {
        if ((artifact.checksum_sha256 ?? checksums.sha256) === checksums.sha256) await keepUpdatedAt(tx)
        await saveArtifactChecksums(tx, artifact.id, checksums)
      })
  }
  if (isComplete) await inTransaction(db, (tx) => saveChecksumReading(tx, buildId, checksumReading.version))
  return isComplete
}

/** How long the checksums of a file that was uploaded in parts are left to `hashFile`. */
const hashFileMs = 60 * 60 * 1000

type Stored = { id: string; object_key: string; checksum_md5: string | null; checksum_sha256: string | null }

/**
 * Returns the checksums of the file, or an error if it differs from what was uploaded. Returns undefined if it has been
 * deleted.
 */
async function computeChecksums(
  { db, storage, log, metrics }: Deps,
  file: Stored,
  signal: AbortSignal,
): Promise<AllDigests | { error: string } | undefined> {
  const object = await findStoredObject(db, file.object_key)
  if (object === undefined) return undefined
  const reportDamage = (part?: string) => {
    const message = 'a stored file differs from what was uploaded; restore it from a backup'
    log.error({ alarm: 'storage', file: file.id, key: file.object_key, part }, message)
    metrics.recordDamagedFile()
  }
  try {
    const recorded = { md5: file.checksum_md5, sha256: file.checksum_sha256 }
    const found = await storage.checksums(object, { signal, recorded })
    const isSame =
      (recorded.md5 ?? found.md5) === found.md5 && (recorded.sha256 ?? found.sha256) === found.sha256
    if (isSame) return found
    if (found.isConfirmed) {
      log.warn(
        { file: file.id, key: file.object_key, recorded },
        'corrected the recorded checksums of a file',
      )
      return found
    }
    reportDamage()
    return { error: damageMessages['storage.file_damaged'] }
  } catch (error) {
    // The file may be missing because its disk is not mounted, so the job is retried.
    if (!(error instanceof DamagedFile) || error.code === 'storage.file_missing') throw error
    reportDamage(error.partName)
    return { error: error.message }
  }
}
