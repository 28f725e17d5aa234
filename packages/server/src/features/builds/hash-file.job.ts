import { job } from '../../jobs/job.ts'
import { findStoredObject } from '../../storage/stored-objects.db.ts'
import { findFile, saveFileChecksums } from './file.db.ts'

/** Rereads a file that was uploaded in parts, to compute its checksums. */
export const hashFile = job<{ fileId: string }>({
  name: 'builds.hash-file',
  retries: 20,
  concurrency: 2,
  expireInSeconds: 6 * 60 * 60,
  async handle({ db, storage }, { fileId }) {
    const file = await findFile(db, fileId)
    if (file === undefined || (file.checksum_md5 !== null && file.checksum_sha256 !== null)) return
    const object = await findStoredObject(db, file.object_key)
    if (object === undefined) return
    await saveFileChecksums(db, fileId, await storage.checksums(object))
  },
})
