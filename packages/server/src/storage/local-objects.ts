import { rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../lib/problem.ts'
import type { SealedObject, StagedPart } from './driver.ts'
import { namesIn } from './local-folders.ts'
import { exists, isCode, parsePartName, syncFolder, type LocalLayout } from './local-layout.ts'

/** Moves a key's folder from staging/ to objects/: after that rename no PUT finds a place to change it. */
export async function sealParts(
  layout: LocalLayout,
  key: string,
  chosen: StagedPart[],
): Promise<SealedObject> {
  const staging = layout.staging(key)
  const objects = layout.objects(key)
  const segments = chosen.map(({ name }) => ({ name, sizeBytes: parsePartName(name)?.sizeBytes ?? 0 }))
  const sealed = await exists(objects.folder)
  await requireNames(sealed ? objects.folder : staging.folder, segments)
  await Promise.all([layout.ensureParent(staging.parent), layout.ensureParent(objects.parent)])
  if (!sealed) {
    try {
      await rename(staging.folder, objects.folder)
    } catch (error) {
      // Another call with the same key was faster.
      if (!isCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error
    }
    await requireNames(objects.folder, segments)
  }
  await Promise.all([objects.folder, objects.parent, staging.parent].map(syncFolder))
  return describeObject(key, segments)
}

/** The object that a manifest names; its checksums are known when it is one segment. */
export function describeObject(key: string, segments: SealedObject['segments']): SealedObject {
  const sizeBytes = segments.reduce((sum, segment) => sum + segment.sizeBytes, 0)
  const only = segments.length === 1 ? parsePartName(segments[0]?.name ?? '') : undefined
  return { key, sizeBytes, segments, ...(only && { md5: only.md5, sha256: only.sha256 }) }
}

async function requireNames(folder: string, segments: SealedObject['segments']): Promise<void> {
  const present = new Set(await namesIn(folder))
  const missing = segments.find(({ name }) => parsePartName(name) === undefined || !present.has(name))
  if (segments.length > 0 && missing === undefined) return
  throw new Problem('conflict', 'storage.part_missing', 'A part of this upload is not stored.')
}

/** Deletes the attempts that the object does not consist of. */
export async function pruneParts(layout: LocalLayout, object: SealedObject): Promise<void> {
  const { folder } = layout.objects(object.key)
  const used = new Set(object.segments.map(({ name }) => name))
  // A manifest that names nothing here is not this folder's: deleting by it would delete everything.
  const names = await namesIn(folder)
  if (!names.some((name) => used.has(name))) return
  for (const name of names) if (!used.has(name)) await unlink(join(folder, name))
}
