import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Executor } from '../database/transaction.ts'
import { createSystemClock } from '../lib/clock.ts'
import { isErrno } from '../lib/problem.ts'
import type { Progress } from '../lib/progress.ts'
import { createBufferPool, type BufferPool } from '../storage/buffer-pool.ts'
import type { CopiedObjects } from '../storage/copy-objects.ts'
import { DamagedFile, type SealedObject, type StorageDriver } from '../storage/driver.ts'
import { eachObject, type StoredObject } from '../storage/each-object.ts'
import { createLocalDriver } from '../storage/local-driver.ts'
import { parsePartName, type LocalLayout } from '../storage/local-layout.ts'
import { readObject, requireSegments } from '../storage/local-reader.ts'
import { saveSegments } from '../storage/stored-objects.db.ts'

type Options = {
  /** The database that lists the objects. */
  db: Executor
  storage: StorageDriver
  /** The files of the backup. */
  files: LocalLayout
  onProgress: (progress: Progress) => void
}

const maxConcurrentObjects = 4
const largeBufferBytes = 512 * 1024

/** Opens a storage folder that no server uses, without a space reserve. The driver is not used to sign URLs. */
export const openFolder = (directory: string, log: Logger): ReturnType<typeof createLocalDriver> =>
  createLocalDriver({
    directory,
    publicUrl: '',
    secret: randomBytes(32).toString('hex'),
    clock: createSystemClock(),
    log,
    findObject: async () => undefined,
    isSoleUser: true,
    diskReserve: { bytes: 0 },
  })

/**
 * Copies every stored object from storage of any kind to the folder of a backup. Files of an earlier backup on the same
 * file system are linked. Skips missing and damaged objects and returns their keys.
 */
export async function backUpObjects({
  previous,
  log,
  ...options
}: Options & { previous: LocalLayout | undefined; log: Logger }): Promise<CopiedObjects> {
  const { storage, files } = options
  const target = await openFolder(files.root, log)
  try {
    return await copyEach(options, async (object) => {
      if (previous !== undefined && (await linkObject(object, previous, files))) return
      await target.store(object.key, { sizeBytes: object.sizeBytes, chunks: storage.read(object) })
    })
  } finally {
    await target.close()
  }
}

/**
 * Copies every stored object from the folder of a backup to storage of any kind, and saves the names of its new parts.
 * Compares all bytes with their checksums. Skips missing and damaged objects and returns their keys.
 */
export async function restoreObjects(options: Options): Promise<CopiedObjects> {
  const { db, storage, files } = options
  const buffers = createBufferPool({ largeBufferBytes, maxLargeBuffers: 2 * maxConcurrentObjects })
  return copyEach(options, async ({ key, sizeBytes }) => {
    const segments = await listSegments(files, key)
    const chunks = readVerified(files, { key, sizeBytes, segments }, buffers)
    const { segments: stored } = await storage.store(key, { sizeBytes, chunks })
    await saveSegments(db, key, stored)
  })
}

async function copyEach(
  { db, onProgress }: Options,
  copy: (object: StoredObject) => Promise<void>,
): Promise<CopiedObjects> {
  const copied: CopiedObjects = { objects: 0, sizeBytes: 0, damagedPaths: [] }
  await eachObject(
    { db, scope: 'hosted', maxConcurrent: maxConcurrentObjects, onProgress },
    async (object) => {
      try {
        await copy(object)
        copied.objects += 1
        copied.sizeBytes += object.sizeBytes
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error
        // The deletion job may already have deleted the bytes of a deleted object.
        if (!object.isDeleted) copied.damagedPaths.push(object.key)
      }
    },
  )
  return copied
}

/** Links the file of an object that an earlier backup contains. Returns false if there is none or it cannot be linked. */
async function linkObject(
  { key, sizeBytes }: SealedObject,
  from: LocalLayout,
  to: LocalLayout,
): Promise<boolean> {
  const segments = await listSegments(from, key)
  if (segments.length === 0 || segments.reduce((sum, part) => sum + part.sizeBytes, 0) !== sizeBytes)
    return false
  const { folder, parent } = to.objects(key)
  await to.ensureParent(parent)
  await mkdir(folder)
  try {
    for (const { name } of segments) await link(join(from.objects(key).folder, name), join(folder, name))
    return true
  } catch (error) {
    await rm(folder, { recursive: true })
    // The codes mean that the file system or the permissions do not allow links.
    if (isErrno(error, 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP')) return false
    throw error
  }
}

/** Lists the parts of an object in a backup, which contains no parts that the object does not use. */
async function listSegments(layout: LocalLayout, key: string): Promise<SealedObject['segments']> {
  const names = await readdir(layout.objects(key).folder).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  })
  return names
    .flatMap((name) => {
      const part = parsePartName(name)
      return part === undefined ? [] : { ...part, name }
    })
    .toSorted((one, other) => one.partNumber - other.partNumber)
    .map(({ name, sizeBytes }) => ({ name, sizeBytes }))
}

/** Yields the bytes of an object. Throws `DamagedFile` before the last bytes of a part that does not match its name. */
async function* readVerified(
  layout: LocalLayout,
  object: SealedObject,
  buffers: BufferPool,
): AsyncGenerator<Uint8Array> {
  const { key, segments } = object
  if (segments.length === 0) throw new DamagedFile('storage.file_missing', { key, partName: '' })
  await requireSegments(layout, object)
  for (const segment of segments) {
    const hash = createHash('sha256')
    let held: Uint8Array | undefined
    const part = { key, sizeBytes: segment.sizeBytes, segments: [segment] }
    for await (const { buffer, length } of readObject(layout, part, undefined, buffers)) {
      const chunk = buffer.bytes.slice(0, length)
      hash.update(chunk)
      if (held !== undefined) yield held
      held = chunk
    }
    if (hash.digest('hex') !== parsePartName(segment.name)?.sha256)
      throw new DamagedFile('storage.file_damaged', { key, partName: segment.name })
    if (held !== undefined) yield held
  }
}
