import { job } from '../../jobs/job.ts'
import { DamagedFile } from '../../storage/driver.ts'
import { findStoredObject } from '../../storage/stored-objects.db.ts'
import { findFile, saveChecksumError, saveFileChecksums } from './file.db.ts'

/** Computes the checksums of a file that was uploaded in parts by reading the file again. */
export const hashFile = job<{ fileId: string }>({
  name: 'builds.hash-file',
  retries: 20,
  concurrency: 2,
  expireInSeconds: 6 * 60 * 60,
  async handle({ db, storage, log, metrics }, { fileId }) {
    const file = await findFile(db, fileId)
    if (file === undefined || (file.checksum_md5 !== null && file.checksum_sha256 !== null)) return
    const object = await findStoredObject(db, file.object_key)
    if (object === undefined) return
    try {
      await saveFileChecksums(db, fileId, await storage.checksums(object))
    } catch (error) {
      // The file may be missing because its disk is not mounted, so the job is retried.
      if (!(error instanceof DamagedFile) || error.code === 'storage.file_missing') throw error
      const message = 'a stored file differs from what was uploaded; restore it from a backup'
      log.error({ alarm: 'storage', file: fileId, key: file.object_key, part: error.partName }, message)
      metrics.recordDamagedFile()
      await saveChecksumError(db, fileId, error.message)
    }
  },
})
