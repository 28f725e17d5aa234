import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { limitConcurrency } from '../../lib/concurrency.ts'
import { syncFolder } from '../../lib/durable-file.ts'
import { isErrno, problem } from '../../lib/problem.ts'
import type { Progress } from '../../lib/progress.ts'
import type { SealedObject, StorageDriver } from '../../storage/driver.ts'
import { toSealedObject } from '../../storage/objects/stored-objects.db.ts'
import { exportPaths, type ExportedFile } from './export-folder.ts'
import { inBatches, readLines, sha256OfFile } from './json-lines.ts'

/** A line of rows/stored_objects.jsonl. */
type StoredObjectRow = {
  key: string
  size_bytes: number
  segments: SealedObject['segments']
  ranges: NonNullable<SealedObject['ranges']> | null
  icon_type: string | null
  checksum_sha256: string | null
}

type Options = {
  folder: string
  storage: Pick<StorageDriver, 'read'>
  total: number
  onProgress: (progress: Progress) => void
}

const filesPerBatch = 32
const maxConcurrentFiles = 4

/**
 * Copies the stored files of an export and lists them in files.jsonl, in the order of rows/stored_objects.jsonl. A
 * line is written when its file is durable, so the number of lines is the position at which the next run resumes.
 */
export async function exportFiles({
  folder,
  storage,
  total,
  onProgress,
}: Options): Promise<{ count: number; size_bytes: number; sha256: string }> {
  const paths = exportPaths(folder)
  const totalBytes = await sumSizes(paths.rows('stored_objects'))
  const copied = await resumeIndex(paths.index)
  await removeTemporary(folder)
  await mkdir(temporaryFolder(folder), { recursive: true, mode: 0o700 })
  const limit = limitConcurrency(maxConcurrentFiles)
  const report = () =>
    onProgress({
      step: 'stored files',
      done: copied.count,
      total,
      doneBytes: copied.sizeBytes,
      totalBytes,
      isComplete: copied.count === total,
    })
  const index = await open(paths.index, 'a', 0o600)
  try {
    for await (const batch of inBatches(
      readLines(paths.rows('stored_objects'), copied.count),
      filesPerBatch,
    )) {
      const rows = batch.map((line) => JSON.parse(line) as StoredObjectRow)
      const files = await Promise.all(rows.map((row) => limit(() => exportFile(folder, storage, row))))
      await index.writeFile(files.map((file) => `${JSON.stringify(file)}\n`).join(''))
      await index.sync()
      copied.count += files.length
      copied.sizeBytes += files.reduce((sum, file) => sum + file.size_bytes, 0)
      report()
    }
  } finally {
    await index.close()
  }
  await removeTemporary(folder)
  return { count: copied.count, size_bytes: copied.sizeBytes, sha256: await sha256OfFile(paths.index) }
}

const temporaryFolder = (folder: string): string => join(folder, 'files', 'tmp')
const removeTemporary = (folder: string): Promise<void> =>
  rm(temporaryFolder(folder), { recursive: true, force: true })

async function sumSizes(path: string): Promise<number> {
  let sum = 0
  for await (const line of readLines(path)) sum += (JSON.parse(line) as StoredObjectRow).size_bytes
  return sum
}

/** Counts the files of an interrupted run and removes an incomplete last line. */
async function resumeIndex(path: string): Promise<{ count: number; sizeBytes: number }> {
  const found = { count: 0, sizeBytes: 0 }
  let lengthBytes = 0
  try {
    for await (const line of readLines(path)) {
      found.count += 1
      found.sizeBytes += (JSON.parse(line) as ExportedFile).size_bytes
      lengthBytes += Buffer.byteLength(line) + 1
    }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return found
    throw error
  }
  const file = await open(path, 'r+')
  await file.truncate(lengthBytes).finally(() => file.close())
  return found
}

async function exportFile(
  folder: string,
  storage: Pick<StorageDriver, 'read'>,
  row: StoredObjectRow,
): Promise<ExportedFile> {
  const object = toSealedObject(row)
  const temporary = join(temporaryFolder(folder), randomUUID())
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  await pipeline(
    Readable.from(storage.read(object)),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        sha256.update(chunk)
        md5.update(chunk)
        yield chunk
      }
    },
    createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
  )
  const checksums = { sha256: sha256.digest('hex'), md5: md5.digest('hex') }
  if (row.checksum_sha256 !== null && row.checksum_sha256 !== checksums.sha256)
    throw damaged({ key: row.key })
  const target = exportPaths(folder).file(checksums.sha256)
  const parent = dirname(target)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  // Equal files share one copy.
  if ((await sizeOf(target)) === row.size_bytes) await rm(temporary)
  else await rename(temporary, target)
  await syncFolder(parent)
  return { key: row.key, size_bytes: row.size_bytes, ...checksums, icon_type: row.icon_type }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      if (!isErrno(error, 'ENOENT')) throw error
      return undefined
    },
  )
}

const damaged = problem(
  'conflict',
  'export.source_damaged',
  'The stored file {key} differs from the uploaded bytes. Restore it from a backup, then rerun the export.',
)
