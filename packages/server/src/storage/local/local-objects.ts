import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../lib/problem.ts'
import type { SealedObject, Segment, StagedPart, StreamedContent } from '../driver.ts'
import { composeObject, sizeOfRanges, type Composition } from '../objects/composition.ts'
import { partMissing } from '../storage-errors.ts'
import { listAttempts, listNames } from './local-folders.ts'
import { exists, parsePartName, type LocalLayout } from './local-layout.ts'
import { stagePart, type Staging } from './local-staging.ts'

/** Moves a key's folder from staging/ to objects/. After the rename, PUTs can no longer change it. */
async function sealParts(layout: LocalLayout, key: string, chosen: StagedPart[]): Promise<SealedObject> {
  const staging = layout.staging(key)
  const objects = layout.objects(key)
  const segments = toSegments(chosen)
  await Promise.all([layout.ensureParent(staging.parent), layout.ensureParent(objects.parent)])
  if (!(await exists(objects.folder)) && (await hasNames(layout, staging.folder, segments))) {
    try {
      // The trailing slash makes the call fail if the path is the tombstone of an aborted upload.
      await layout.writing(() => rename(`${staging.folder}/`, objects.folder))
    } catch (error) {
      // A concurrent call has sealed the same key, or the upload was aborted.
      if (!isErrno(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error
    }
  }
  // The folder of an object without own parts rejects PUTs.
  if (segments.length === 0) await layout.writing(() => mkdir(objects.folder, { recursive: true }))
  // A concurrent call can seal the key at any time, so only the sealed folder shows whether a part is missing.
  if (!(await hasNames(layout, objects.folder, segments))) throw partMissing()
  await Promise.all([objects.folder, objects.parent, staging.parent].map(layout.syncFolder))
  return describeObject({ key, segments })
}

const toSegments = (chosen: StagedPart[]): Segment[] =>
  chosen.map(({ name }) => ({ name, sizeBytes: parsePartName(name)?.sizeBytes ?? 0 }))

/** Seals a key and discards what is counted in memory until then. */
export async function sealKey(
  { layout, attempts }: Pick<Staging, 'layout' | 'attempts'>,
  key: string,
  chosen: StagedPart[],
  composition?: Composition,
): Promise<SealedObject> {
  if (chosen.length === 0 && composition === undefined) throw partMissing()
  const object = await sealParts(layout, key, chosen)
  attempts.forget(key)
  return composition === undefined ? object : composeChosen(key, chosen, composition)
}

/** Returns the object that consists of the chosen attempts and of the files of other objects. */
export const composeChosen = (key: string, chosen: StagedPart[], composition: Composition): SealedObject =>
  describeObject(composeObject(key, toSegments(chosen), composition))

/**
 * Returns the object that consists of the given segments. Its checksums are set only if it is a complete segment, because
 * the segment's name contains them.
 */
export function describeObject(object: Pick<SealedObject, 'key' | 'segments' | 'ranges'>): SealedObject {
  const { key, segments, ranges } = object
  const isWhole = segments.length === 1 && ranges === undefined
  const only = isWhole ? parsePartName(segments[0]?.name ?? '') : undefined
  return {
    key,
    sizeBytes: sizeOfRanges(object),
    segments,
    ...(ranges && { ranges }),
    ...(only && { md5: only.md5, sha256: only.sha256 }),
  }
}

/** Returns the object that consists of everything in a sealed folder, or undefined if the key is not sealed. */
export async function findSealed(layout: LocalLayout, key: string): Promise<SealedObject | undefined> {
  const { folder } = layout.objects(key)
  if (!(await exists(folder))) return undefined
  const names = (await layout.reading(() => listNames(folder))).toSorted()
  return describeObject({
    key,
    segments: names.map((name) => ({ name, sizeBytes: parsePartName(name)?.sizeBytes ?? 0 })),
  })
}

async function hasNames(
  layout: LocalLayout,
  folder: string,
  segments: SealedObject['segments'],
): Promise<boolean> {
  const present = new Set(await layout.reading(() => listNames(folder)))
  return segments.every(({ name }) => parsePartName(name) !== undefined && present.has(name))
}

/** Deletes the attempts that the object does not use. */
export async function pruneParts(layout: LocalLayout, object: SealedObject): Promise<void> {
  const { folder } = layout.objects(object.key)
  const own = object.segments.filter(({ key = object.key }) => key === object.key)
  const used = new Set(own.map(({ name }) => name))
  // If the manifest lists none of the files, it does not belong to this folder, and pruning would delete everything.
  const names = await listNames(folder)
  if (!names.some((name) => used.has(name))) return
  for (const name of names)
    if (!used.has(name)) await layout.writing(() => rm(join(folder, name), { force: true }))
}

/** Stores and seals content. It is as durable as an upload, because it is stored by the same code. */
export async function storeContent(
  context: Staging,
  key: string,
  content: Uint8Array | StreamedContent,
): Promise<SealedObject> {
  const { sizeBytes, chunks } =
    content instanceof Uint8Array ? { sizeBytes: content.length, chunks: singleChunk(content) } : content
  await stagePart(context, { key, partNumber: 0, sizeBytes }, chunks)
  return sealKey(context, key, await listAttempts(context.layout, key))
}

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
