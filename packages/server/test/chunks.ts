import { createHash, randomBytes } from 'node:crypto'
import { inTransaction } from '../src/database/transaction.ts'
import { insertChunkIndex } from '../src/features/builds/chunks/chunk-index.db.ts'
import { savePatch, startAttempt } from '../src/features/builds/patches/patch.db.ts'
import { signPatchesUrl } from '../src/features/builds/patches/patch.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import type { Service } from './harness.ts'

/** Stores a chunk index and a patch for a file. Returns the ID of the file, and the token with which visitors look for patches to it. */
export async function insertChunks({ deps }: Service, fileId: string) {
  const index = await deps.storage.store(uuidV7(), randomBytes(100))
  await inTransaction(deps.db, (tx) => insertChunkIndex(tx, fileId, index))
  const bytes = randomBytes(100)
  const object = await deps.storage.store(uuidV7(), bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const files = { fileId, sourceId: fileId }
  await startAttempt(deps.db, files, 1)
  await inTransaction(deps.db, (tx) => savePatch(tx, files, { object, sha256 }))
  const url = signPatchesUrl(deps, fileId, 60 * 60)
  return { file_id: fileId, patch_token: url.split('/').at(-1) ?? '' }
}
