import { randomBytes } from 'node:crypto'
import { inTransaction } from '../src/database/transaction.ts'
import { insertChunkIndex } from '../src/features/builds/chunks/chunk-index.db.ts'
import { uuidV7 } from '../src/lib/ids.ts'
import type { Service } from './harness.ts'

/** Stores a chunk index for a file. Returns the ID of the file. */
export async function insertChunks({ deps }: Service, fileId: string): Promise<string> {
  const index = await deps.storage.store(uuidV7(), randomBytes(100))
  await inTransaction(deps.db, (tx) => insertChunkIndex(tx, fileId, index))
  return fileId
}
