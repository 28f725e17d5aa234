import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../lib/problem.ts'
import type { StagedPart, StoredKey } from '../driver.ts'
import { isKey, parsePartName, type LocalLayout } from './local-layout.ts'

const statBatchSize = 64

/** Lists all attempts for a key, from staging/ or, after `seal`, from objects/. */
export async function listAttempts(layout: LocalLayout, key: string): Promise<StagedPart[]> {
  const sealed = await listParts(layout, layout.objects(key).folder)
  if (sealed.length > 0) return sealed
  const staged = await listParts(layout, layout.staging(key).folder)
  // A concurrent seal can move the folder before or while it is read.
  const sealedSince = await listParts(layout, layout.objects(key).folder)
  return sealedSince.length > 0 ? sealedSince : staged
}

/** Lists every key whose folder has not changed since the given time. */
export async function* listKeys(
  layout: LocalLayout,
  { unchangedSince }: { unchangedSince: Date },
): AsyncGenerator<StoredKey> {
  for (const [area, state] of [
    ['staging', 'staged'],
    ['objects', 'sealed'],
  ] as const) {
    for (const shard of await listNames(join(layout.root, area))) {
      for (const key of await listNames(join(layout.root, area, shard))) {
        if (!isKey(key)) continue
        const entry = await stat(join(layout.root, area, shard, key)).catch(() => undefined)
        // An entry that is a file is the tombstone of an aborted upload.
        if (entry?.isDirectory() === true && entry.mtime < unchangedSince) yield { key, state }
      }
    }
  }
}

/**
 * Lists all attempts in a folder by part number and, for the same part, from oldest to newest. Returns an empty list if
 * the folder does not exist.
 */
async function listParts(layout: LocalLayout, folder: string): Promise<StagedPart[]> {
  const names = await layout.reading(() => listNames(folder))
  const parts: (StagedPart | undefined)[] = []
  // Files are examined in batches, so that listing thousands of files blocks neither the event loop nor waiting
  // downloads.
  for (let first = 0; first < names.length; first += statBatchSize) {
    const batch = names.slice(first, first + statBatchSize)
    parts.push(...(await Promise.all(batch.map((name) => layout.reading(() => describePart(folder, name))))))
  }
  return parts
    .filter((part) => part !== undefined)
    .toSorted((a, b) => a.partNumber - b.partNumber || a.storedAt.getTime() - b.storedAt.getTime())
}

async function describePart(folder: string, name: string): Promise<StagedPart | undefined> {
  const part = parsePartName(name)
  if (part === undefined) return undefined
  try {
    const { mtime, size } = await stat(join(folder, name))
    return size === part.sizeBytes ? { ...part, etag: part.md5, storedAt: mtime, name } : undefined
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

export async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}

/**
 * Deletes a folder. The folder is first moved to tmp/ with a rename. If `seal` runs concurrently, only one of the two
 * renames succeeds.
 */
export async function removeFolder(
  layout: LocalLayout,
  { folder, parent }: { folder: string; parent: string },
): Promise<void> {
  const removed = join(layout.tmp, `removed.${randomUUID()}`)
  try {
    // The trailing slash makes the call fail if the path is a tombstone.
    await layout.writing(() => rename(`${folder}/`, removed))
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return
    throw error
  }
  await layout.syncFolder(parent)
  await layout.writing(() => rm(removed, { recursive: true, force: true }))
}

/**
 * Deletes the files in tmp/ that killed processes left behind and that have not changed since `unchangedSince`. If
 * `unchangedSince` is undefined, deletes everything, which is safe only while no other process uses the folder.
 */
export async function sweepTemporary(layout: LocalLayout, unchangedSince: Date | undefined): Promise<void> {
  for (const name of await listNames(layout.tmp)) {
    const path = join(layout.tmp, name)
    const { mtime } = await stat(path).catch(() => ({ mtime: undefined }))
    if (unchangedSince === undefined || (mtime !== undefined && mtime < unchangedSince))
      await layout.writing(() => rm(path, { recursive: true, force: true }))
  }
}

/**
 * Throws unless a file can be written. A full disk passes the check, because downloads still work. The check does not
 * wait for `layout.writing`, so that a backlog of uploads on a slow disk does not make the service appear unavailable.
 * Callers run at most one check at a time, which blocks at most one thread.
 */
export async function checkWritable(layout: LocalLayout): Promise<void> {
  const path = join(layout.tmp, `check.${randomUUID()}`)
  try {
    const file = await open(path, 'wx')
    await file.write('.').finally(() => file.close())
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EDQUOT')) throw error
  } finally {
    await rm(path, { force: true })
  }
}
