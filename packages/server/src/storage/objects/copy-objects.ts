import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Executor } from '../../database/transaction.ts'
import { syncFolder } from '../../lib/durable-file.ts'
import { observeChunks } from '../../lib/observe-chunks.ts'
import { isErrno } from '../../lib/problem.ts'
import type { Progress } from '../../lib/progress.ts'
import { parsePartName, type LocalLayout } from '../local/local-layout.ts'
import { eachObject, type StoredObject } from './each-object.ts'

type Options = {
  /** The database that lists the objects. */
  db: Executor
  from: LocalLayout
  to: LocalLayout
  /** Folders whose files may be linked instead of copied if they are on the same file system as `to`. */
  linkFrom: LocalLayout[]
  onProgress: (progress: Progress) => void
}

export type CopiedObjects = { objects: number; sizeBytes: number; damagedPaths: string[] }

/**
 * Copies the files of every stored object and compares the bytes with the checksum in the name of each file. A linked
 * file shares its bytes with the original, so only its size is checked. Files that an interrupted call has copied are
 * not copied again. Skips missing and damaged files and returns their paths.
 */
export async function copyObjects({ db, from, to, linkFrom, onProgress }: Options): Promise<CopiedObjects> {
  const copied: CopiedObjects = { objects: 0, sizeBytes: 0, damagedPaths: [] }
  await eachObject({ db, scope: 'hosted', onProgress }, async (object) => {
    copied.damagedPaths.push(...(await copyObject(object, { from, to, linkFrom })))
    copied.objects += 1
    copied.sizeBytes += object.sizeBytes
  })
  await syncFolder(join(to.root, 'objects'))
  return copied
}

/** Copies the files of an object. Returns the source paths of those that are missing or damaged. */
async function copyObject(
  { key, segments, isDeleted }: StoredObject,
  { from, to, linkFrom }: Pick<Options, 'from' | 'to' | 'linkFrom'>,
): Promise<string[]> {
  const { folder, parent } = to.objects(key)
  await to.ensureParent(parent)
  const isNew = (await mkdir(folder, { recursive: true })) !== undefined
  const damaged: string[] = []
  // The files of other objects are copied with these.
  for (const { name } of segments.filter(({ key: fileKey = key }) => fileKey === key)) {
    const target = join(folder, name)
    const source = join(from.objects(key).folder, name)
    const originals = linkFrom.map((layout) => join(layout.objects(key).folder, name))
    if (!isNew && (await isCopied(target))) continue
    const temporary = join(to.tmp, randomUUID())
    if ((await linkFirst(originals, target)) || (await copyVerified(source, { target, temporary }))) continue
    // The deletion job may already have deleted the files of a deleted object.
    if (!isDeleted) damaged.push(source)
  }
  await syncFolder(folder)
  await syncFolder(parent)
  return damaged
}

/** Returns whether a file was copied by an interrupted call. A file gets its name only when it is complete. */
async function isCopied(target: string): Promise<boolean> {
  try {
    return (await stat(target)).size === parsePartName(basename(target))?.sizeBytes
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false
    throw error
  }
}

/** Links the first path that exists and has the expected size. Returns false if no path can be linked. */
async function linkFirst(paths: string[], target: string): Promise<boolean> {
  for (const path of paths) {
    try {
      if ((await stat(path)).size !== parsePartName(basename(target))?.sizeBytes) continue
      await link(path, target)
      return true
    } catch (error) {
      // The last four codes mean that the file system or the permissions do not allow links.
      if (!isErrno(error, 'ENOENT', 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP')) throw error
    }
  }
  return false
}

/** Copies a file. Returns false and leaves no copy if the file is missing or its bytes do not match its name. */
async function copyVerified(
  source: string,
  { target, temporary }: { target: string; temporary: string },
): Promise<boolean> {
  const hash = createHash('sha256')
  const chunkBytes = { highWaterMark: 1 << 20 }
  try {
    await pipeline(
      createReadStream(source, chunkBytes),
      observeChunks((chunk) => hash.update(chunk)),
      createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true, ...chunkBytes }),
    )
  } catch (error) {
    await rm(temporary, { force: true })
    if (isErrno(error, 'ENOENT', 'EIO')) return false
    throw error
  }
  const expected = parsePartName(basename(source))?.sha256
  if (hash.digest('hex') !== expected) {
    await rm(temporary)
    return false
  }
  await rename(temporary, target)
  return true
}
