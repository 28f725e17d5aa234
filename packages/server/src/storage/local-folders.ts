import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StagedPart, StoredKey } from './driver.ts'
import { isCode, isKey, parsePartName, syncFolder, type LocalLayout } from './local-layout.ts'

/** All attempts at the parts of a key; after seal, those that were sealed with it. */
export async function listKey(layout: LocalLayout, key: string): Promise<StagedPart[]> {
  const sealed = await listParts(layout.objects(key).folder)
  if (sealed.length > 0) return sealed
  const staged = await listParts(layout.staging(key).folder)
  // a seal at the same time moves the folder away, before or in the midst of that
  const sealedMeanwhile = await listParts(layout.objects(key).folder)
  return sealedMeanwhile.length > 0 ? sealedMeanwhile : staged
}

/** Every key whose folder has not changed since. */
export async function* listKeys(
  layout: LocalLayout,
  { unchangedSince }: { unchangedSince: Date },
): AsyncGenerator<StoredKey> {
  for (const [area, state] of [
    ['staging', 'staged'],
    ['objects', 'sealed'],
  ] as const) {
    for (const shard of await namesIn(join(layout.root, area))) {
      for (const key of await namesIn(join(layout.root, area, shard))) {
        if (!isKey(key)) continue
        const { mtime } = await stat(join(layout.root, area, shard, key)).catch(() => ({ mtime: undefined }))
        if (mtime !== undefined && mtime < unchangedSince) yield { key, state }
      }
    }
  }
}

/** All attempts in a folder, by part number and then oldest first; [] where there is none. */
async function listParts(folder: string): Promise<StagedPart[]> {
  const parts = await Promise.all((await namesIn(folder)).map((name) => describePart(folder, name)))
  return parts
    .filter((part) => part !== undefined)
    .toSorted((a, b) => a.partNumber - b.partNumber || a.storedAt.getTime() - b.storedAt.getTime())
}

async function describePart(folder: string, name: string): Promise<StagedPart | undefined> {
  const facts = parsePartName(name)
  if (facts === undefined) return undefined
  try {
    const { mtime, size } = await stat(join(folder, name))
    return size === facts.sizeBytes ? { ...facts, etag: facts.md5, storedAt: mtime, name } : undefined
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw error
  }
}

/** One rename decides between this and a seal at the same time; what follows touches tmp/ only. */
export async function removeFolder(
  layout: LocalLayout,
  { folder, parent }: { folder: string; parent: string },
) {
  const doomed = join(layout.tmp, `removed.${randomUUID()}`)
  try {
    await rename(folder, doomed)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  await syncFolder(parent)
  await rm(doomed, { recursive: true, force: true })
}

/**
 * Deletes what killed processes left in tmp/. Several servers may share the folder, so age decides: nothing on its way
 * in stays untouched for as long as `olderThanSeconds`.
 */
export async function sweepTemporary(
  layout: LocalLayout,
  { olderThanSeconds, now }: { olderThanSeconds: number; now: Date },
) {
  for (const name of await namesIn(layout.tmp)) {
    const path = join(layout.tmp, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < now.getTime() - olderThanSeconds * 1000) await rm(path, { recursive: true, force: true })
  }
}

/** Writes and deletes a file of one byte; a full disk is no reason to stop serving downloads. */
export async function checkWritable(layout: LocalLayout): Promise<void> {
  const path = join(layout.tmp, `check.${randomUUID()}`)
  try {
    const file = await open(path, 'wx')
    await file.write('.').finally(() => file.close())
  } catch (error) {
    if (!isCode(error, 'ENOSPC', 'EDQUOT')) throw error
  } finally {
    await rm(path, { force: true })
  }
}
