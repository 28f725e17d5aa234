import { inTransaction, type Db } from '../../database/transaction.ts'
import {
  saveArtifactChecksumError,
  saveArtifactChecksums,
} from '../../features/builds/artifacts/metadata-artifact.db.ts'
import { saveChecksumError, saveFileChecksums } from '../../features/builds/files/file.db.ts'
import { hashFile } from '../../features/builds/files/hash-file.job.ts'
import type { Queue } from '../../jobs/job-queue.ts'
import type { DamagedFile } from '../../storage/damaged-file.ts'
import type { AllDigests } from '../../storage/objects/hashing.ts'
import { listReferences, unmarkReferencedObject } from '../../storage/objects/marked-objects.db.ts'
import type { ObjectOwner } from './object-owner.db.ts'

/** The repairs that lose no data. Each returns what was done, or undefined if nothing could be done. */
export type Repairs = ReturnType<typeof createRepairs>

export function createRepairs({ db, queue }: { db: Db; queue: Queue }) {
  return {
    /** Removes the deletion mark of an object that a row refers to. */
    async unmark(key: string): Promise<string | undefined> {
      const references = await listReferences(db)
      const isUnmarked = await inTransaction(db, (tx) => unmarkReferencedObject(tx, key, references))
      return isUnmarked ? 'no longer marked for deletion' : undefined
    },

    async enqueueHashing(owner: ObjectOwner | undefined): Promise<string | undefined> {
      if (owner === undefined) return undefined
      await queue.enqueue(db, hashFile, { fileId: owner.id })
      return 'the server will compute them'
    },

    async saveChecksums({ table, id }: ObjectOwner, checksums: AllDigests): Promise<string> {
      await (table === 'files' ? saveFileChecksums : saveArtifactChecksums)(db, id, checksums)
      return 'saved the checksums'
    },

    /** Records the damage of a file or metadata artifact, so that the API reports it. This does not repair it. */
    async recordDamage(owner: ObjectOwner | undefined, { message }: DamagedFile): Promise<void> {
      if (owner?.table === 'files') await saveChecksumError(db, owner.id, message)
      if (owner?.table === 'metadata_artifacts') await saveArtifactChecksumError(db, owner.id, message)
    },
  }
}
