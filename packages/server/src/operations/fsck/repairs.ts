import { inTransaction, type Db } from '../../database/transaction.ts'
import {
  saveArtifactChecksumError,
  saveArtifactChecksums,
} from '../../features/builds/artifacts/metadata-artifact.db.ts'
import { discardChunkIndex } from '../../features/builds/chunks/chunk-index.db.ts'
import { saveChecksumError, saveFileChecksums } from '../../features/builds/files/file.db.ts'
import { hashFile } from '../../features/builds/files/hash-file.job.ts'
import { discardPatch } from '../../features/builds/patches/patch.db.ts'
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

    /** Removes an object that the server computed from other files, and without which clients only transfer more. */
    async discard(owner: ObjectOwner | undefined): Promise<string | undefined> {
      if (owner?.table === 'chunk_indexes') {
        const isRemoved = await inTransaction(db, (tx) => discardChunkIndex(tx, owner.key))
        return isRemoved ? 'removed; the server will compute it again' : undefined
      }
      if (owner?.table !== 'file_patches') return undefined
      const isRemoved = await inTransaction(db, (tx) => discardPatch(tx, owner.key))
      return isRemoved ? 'removed; clients will use chunks' : undefined
    },

    /** Records the damage of a file or metadata artifact, so that the API reports it. This does not repair it. */
    async recordDamage(owner: ObjectOwner | undefined, { message }: DamagedFile): Promise<void> {
      if (owner?.table === 'files') await saveChecksumError(db, owner.id, message)
      if (owner?.table === 'metadata_artifacts') await saveArtifactChecksumError(db, owner.id, message)
    },
  }
}
