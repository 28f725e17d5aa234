import { inTransaction, type Tx } from '../../../database/transaction.ts'
import type { Deps } from '../../../deps.ts'
import { newStorageKey, storeIdOf } from '../../../storage/custom/store-key.ts'
import { DamagedFile } from '../../../storage/damaged-file.ts'
import type { SealedObject } from '../../../storage/driver.ts'
import { findStoredObject } from '../../../storage/objects/stored-objects.db.ts'
import { listFiles } from '../files/file.db.ts'
import { findChunkIndex, insertChunkIndex, saveChunkReading } from './chunk-index.db.ts'
import { minIndexedBytes } from './chunk-index.ts'
import { computeChunkIndex } from './chunk-thread.ts'

/** The version of the chunk indexes, which `reread-builds.job.ts` compares with that of each build. */
export const chunkReading = { kind: 'chunks', version: 1 } as const

type IndexingDeps = Pick<Deps, 'db' | 'storage' | 'log' | 'uploadTurns'>

/**
 * Computes and stores the missing chunk indexes of the files of a build. Returns false if that has to be done later.
 * Otherwise, `onIndexed` is called in the transaction that records it.
 */
export async function indexBuild(
  deps: IndexingDeps,
  buildId: string,
  stopping: AbortSignal,
  onIndexed?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const { db } = deps
  let isComplete = true
  for (const file of await listFiles(db, buildId)) {
    if (file.size_bytes < minIndexedBytes || file.checksum_error !== null) continue
    if ((await findChunkIndex(db, file.id)) !== undefined) continue
    const object = await findStoredObject(db, file.object_key)
    if (object === undefined) continue
    const isIndexed = await indexFile(deps, file, object, stopping)
    isComplete &&= isIndexed
  }
  if (isComplete)
    await inTransaction(db, async (tx) => {
      await saveChunkReading(tx, buildId, chunkReading.version)
      await onIndexed?.(tx)
    })
  return isComplete
}

type IndexedFile = { id: string; checksum_sha256: string | null }

/** Returns false if the file is damaged, which the job that computes checksums reports. */
async function indexFile(
  { db, storage, log, uploadTurns }: IndexingDeps,
  { id: fileId, checksum_sha256 }: IndexedFile,
  object: SealedObject,
  stopping: AbortSignal,
): Promise<boolean> {
  const content = inTurns(storage.read(object), uploadTurns, stopping)
  const chunked = await computeChunkIndex({ sizeBytes: object.sizeBytes }, content).catch(
    (error: unknown) => {
      if (error instanceof DamagedFile) return undefined
      throw error
    },
  )
  if (chunked === undefined || chunked.sha256 !== (checksum_sha256 ?? chunked.sha256)) {
    log.warn({ file: fileId, key: object.key }, 'computed no chunk index, because a stored file is damaged')
    return false
  }
  await storage.requireSpace(object.key, chunked.index.length)
  const stored = await storage.store(newStorageKey(storeIdOf(object.key)), chunked.index)
  const isInserted = await inTransaction(db, (tx) => insertChunkIndex(tx, fileId, stored))
  if (!isInserted) await storage.remove(stored)
  return true
}

async function* inTurns(
  content: AsyncIterable<Uint8Array>,
  turns: Deps['uploadTurns'],
  stopping: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    await turns.wait(stopping)
    stopping.throwIfAborted()
    yield bytes
  }
}
