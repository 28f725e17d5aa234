import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { inTransaction } from '../../database/transaction.ts'
import { limitConcurrency } from '../../lib/concurrency.ts'
import { isErrno } from '../../lib/problem.ts'
import type { SealedObject } from '../../storage/driver.ts'
import { exportPaths, type ExportedFile } from '../export/export-folder.ts'
import { inBatches } from '../export/json-lines.ts'
import { requireRegularFile } from '../export/manifest.ts'
import type { ImportContext } from './import-context.ts'
import { findImportedObjects, insertImportedObject, saveProgress } from './import.db.ts'
import { fileDamaged } from './verified-file.ts'

const filesPerBatch = 32
const maxConcurrentFiles = 4
const maxReadBytes = 1024 * 1024
// Saving each small file in a transaction of its own took most of the time of an import.
const savedAtOnceBytes = 4 * 1024 * 1024

/** The name differs from that of the table `files`. */
export const filesStep = 'stored files'

/**
 * Stores the files of the export and compares them with their checksums. Files that an interrupted run stored are
 * skipped. Bytes without a row, which a killed run can leave, are deleted by the server after 48 hours.
 */
export async function importFiles(context: ImportContext): Promise<void> {
  const { db, exported, manifest, state, onProgress } = context
  const { count: total, size_bytes: totalBytes } = manifest.files
  const limit = limitConcurrency(maxConcurrentFiles)
  let position = state.step === filesStep ? state.position : 0
  let doneBytes = position === 0 ? 0 : await sumSizes(exported.index.lines(), position)
  for await (const lines of inBatches(exported.index.lines(position), filesPerBatch)) {
    const files = lines.map((line) => JSON.parse(line) as ExportedFile)
    const imported = await findImportedObjects(
      db,
      state.id,
      files.map(({ key }) => key),
    )
    const missing = files.filter(({ key }) => !imported.has(key))
    const stored = await Promise.all(missing.map((file) => limit(() => importFile(context, file))))
    position += files.length
    doneBytes += files.reduce((sum, file) => sum + file.size_bytes, 0)
    await inTransaction(db, async (tx) => {
      for (const object of stored) if (!object.isSaved) await insertImportedObject(tx, object)
      await saveProgress(tx, state.id, filesStep, position)
    })
    onProgress({
      step: filesStep,
      done: position,
      total,
      doneBytes,
      totalBytes,
      isComplete: position === total,
    })
  }
}

async function sumSizes(index: AsyncGenerator<string>, lines: number): Promise<number> {
  let [sum, read] = [0, 0]
  for await (const line of index) {
    if (read++ === lines) break
    sum += (JSON.parse(line) as ExportedFile).size_bytes
  }
  return sum
}

/** Stores a file. A large file is saved at once, so that an interruption does not repeat it. */
async function importFile({ db, storage, folder, state }: ImportContext, file: ExportedFile) {
  const path = exportPaths(folder).file(file.sha256)
  const hash = createHash('sha256')
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let sizeBytes = 0
    // A read stream allocates a buffer of this size for each read, also for a file of a few bytes.
    const highWaterMark = Math.min(maxReadBytes, file.size_bytes + 1)
    for await (const chunk of createReadStream(path, { highWaterMark })) {
      hash.update(chunk as Buffer)
      sizeBytes += (chunk as Buffer).length
      yield chunk as Buffer
    }
    // Storage must never seal a damaged file, so the file is compared before its last bytes are accepted.
    if (sizeBytes !== file.size_bytes || hash.digest('hex') !== file.sha256) throw fileDamaged({ path })
  }
  let object: SealedObject
  try {
    await requireRegularFile(path)
    object = await storage.store(randomUUID(), { sizeBytes: file.size_bytes, chunks: chunks() })
  } catch (error) {
    throw isErrno(error, 'ENOENT', 'ENOTDIR') ? fileDamaged({ path }) : error
  }
  const isSaved = file.size_bytes >= savedAtOnceBytes
  const imported = { importId: state.id, sourceKey: file.key, object, iconType: file.icon_type, isSaved }
  if (isSaved) await inTransaction(db, (tx) => insertImportedObject(tx, imported))
  return imported
}
