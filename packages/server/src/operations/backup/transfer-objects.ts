import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { Executor } from '../../database/transaction.ts'
import { createSystemClock } from '../../lib/clock.ts'
import { isErrno } from '../../lib/problem.ts'
import type { Progress } from '../../lib/progress.ts'
import { DamagedFile } from '../../storage/damaged-file.ts'
import type { SealedObject, Segment, StorageDriver } from '../../storage/driver.ts'
import { createLocalDriver } from '../../storage/local/local-driver.ts'
import { parsePartName, type LocalLayout } from '../../storage/local/local-layout.ts'
import { readObject, requireSegments } from '../../storage/local/local-reader.ts'
import { createBufferPool, type BufferPool } from '../../storage/objects/buffer-pool.ts'
import { sizeOfRanges, sourceKeys } from '../../storage/objects/composition.ts'
import type { CopiedObjects } from '../../storage/objects/copy-objects.ts'
import { eachObject, type StoredObject } from '../../storage/objects/each-object.ts'
import { saveSegments } from '../../storage/objects/stored-objects.db.ts'
import type { BackupBucket } from './backup-bucket.ts'
import { appendDigest } from './file-digest.ts'

type Options = {
  /** The database that lists the objects. */
  db: Executor
  storage: StorageDriver
  /** The files of the backup. */
  files: LocalLayout
  onProgress: (progress: Progress) => void
}

type Prepare = (keys: string[]) => Promise<void>

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

/** `keys` lists every file of the backup; `sentObjects` and `sentBytes` count only what the bucket did not contain yet. */
export type SentObjects = CopiedObjects & { keys: string[]; sentObjects: number; sentBytes: number }

/**
 * Sends every stored object that the bucket does not contain yet, so that an interrupted backup is resumed by the next
 * one. Skips missing and damaged objects and returns their keys.
 */
export async function sendObjects({
  bucket,
  read,
  ...options
}: Pick<Options, 'db' | 'onProgress'> & {
  bucket: Pick<BackupBucket, 'listFiles' | 'saveFile'>
  read: (object: StoredObject) => AsyncIterable<Uint8Array>
}): Promise<SentObjects> {
  let [sentObjects, sentBytes] = [0, 0]
  const keys: string[] = []
  const stored = listBatches(bucket.listFiles())
  const copied = await copyEach({ ...options, prepare: stored.advance }, async (object) => {
    const isSent = stored.findSize(object.key) === object.sizeBytes
    if (!isSent) await bucket.saveFile(object.key, appendDigest(read(object)))
    keys.push(object.key)
    if (isSent) return
    sentObjects += 1
    sentBytes += object.sizeBytes
  })
  return { ...copied, keys, sentObjects, sentBytes }
}

/** Reads a sorted list of files together with the sorted batches of keys that they are compared with. */
function listBatches(files: AsyncIterable<{ key: string; sizeBytes: number }>) {
  const iterator = files[Symbol.asyncIterator]()
  const sizes = new Map<string, number>()
  let next: IteratorResult<{ key: string; sizeBytes: number }> | undefined
  return {
    async advance(keys: string[]): Promise<void> {
      const last = keys.at(-1) ?? ''
      sizes.clear()
      next ??= await iterator.next()
      while (next.done !== true && next.value.key <= last) {
        sizes.set(next.value.key, next.value.sizeBytes)
        next = await iterator.next()
      }
    },
    findSize: (key: string) => sizes.get(key),
  }
}

type RestoreOptions = Pick<Options, 'db' | 'storage' | 'onProgress'> & {
  read: (object: StoredObject) => AsyncIterable<Uint8Array>
  /** Whether the storage may contain objects that an interrupted call has copied. They are not copied again. */
  isResumed: boolean
}

/**
 * Copies every stored object from a backup to storage of any kind, and saves the names of its new parts. `read` throws
 * `DamagedFile` if the bytes do not match their checksum. Skips missing and damaged objects and returns their keys.
 */
export async function restoreObjects({
  storage,
  read,
  isResumed,
  ...options
}: RestoreOptions): Promise<CopiedObjects> {
  return copyEach(options, async (object) => {
    const { key, sizeBytes } = object
    const found = isResumed ? await storage.findSealed(key) : undefined
    const isCopied = found?.sizeBytes === sizeBytes
    if (found !== undefined && !isCopied) await storage.remove({ key })
    const { segments } = isCopied ? found : await storage.store(key, { sizeBytes, chunks: read(object) })
    if (object.ranges !== undefined || !isDeepStrictEqual(segments, object.segments))
      await saveSegments(options.db, key, segments)
  })
}

const createBuffers = () => createBufferPool({ largeBufferBytes, maxLargeBuffers: 2 * maxConcurrentObjects })

/** Returns a function that reads an object from a storage folder and compares its parts with their names. */
export function createPartReader(files: LocalLayout): (object: SealedObject) => AsyncIterable<Uint8Array> {
  const reader = createReader(files)
  return (object) => readVerified(reader, object)
}

/**
 * Returns a function like that of `createPartReader` that reads the parts in the folder, whatever their manifest says, unless
 * the object takes bytes from others there.
 */
export function createFileReader(files: LocalLayout): (object: SealedObject) => AsyncIterable<Uint8Array> {
  const reader = createReader(files)
  return async function* (object) {
    const { key, sizeBytes } = object
    const segments = await listSegments(files, key)
    const isComplete = sizeOfRanges({ segments }) === sizeBytes
    const isComposed = sourceKeys(object).length > 0
    yield* readVerified(reader, isComplete || !isComposed ? { key, sizeBytes, segments } : object)
  }
}

async function copyEach(
  { db, onProgress, prepare }: Pick<Options, 'db' | 'onProgress'> & { prepare?: Prepare },
  copy: (object: StoredObject) => Promise<void>,
): Promise<CopiedObjects> {
  const copied: CopiedObjects = { objects: 0, sizeBytes: 0, damagedPaths: [] }
  await eachObject(
    { db, scope: 'hosted', maxConcurrent: maxConcurrentObjects, onProgress, ...(prepare && { prepare }) },
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

type Reader = { layout: LocalLayout; buffers: BufferPool; verified: Set<string> }

const createReader = (layout: LocalLayout): Reader => ({
  layout,
  buffers: createBuffers(),
  verified: new Set(),
})

/**
 * Yields the bytes of an object. Throws `DamagedFile` before the last bytes of a part that does not match its name. The parts
 * of an object that consists of ranges are compared first, and only once although several objects use them.
 */
async function* readVerified(reader: Reader, object: SealedObject): AsyncGenerator<Uint8Array> {
  const { layout, buffers, verified } = reader
  const { key: ownKey, segments, ranges } = object
  if (segments.length === 0) throw new DamagedFile('storage.file_missing', { key: ownKey, partName: '' })
  await requireSegments(layout, object)
  for (const { key = ownKey, ...segment } of segments) {
    if (ranges === undefined) yield* readPart(reader, key, segment)
    else if (!verified.has(`${key}/${segment.name}`)) {
      for await (const bytes of readPart(reader, key, segment)) void bytes
      verified.add(`${key}/${segment.name}`)
    }
  }
  if (ranges === undefined) return
  for await (const { buffer, length } of readObject(layout, object, undefined, buffers))
    yield buffer.bytes.slice(0, length)
}

async function* readPart(
  { layout, buffers }: Reader,
  key: string,
  segment: Segment,
): AsyncGenerator<Uint8Array> {
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
