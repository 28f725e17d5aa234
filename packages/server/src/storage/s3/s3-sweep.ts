import { maxPutUrlSeconds } from '../driver.ts'
import {
  abortUpload,
  deleteObject,
  findObject,
  listObjects,
  listParts,
  listUploads,
  type S3Upload,
} from './s3-objects.ts'
import { mayConsistOf, type S3Store } from './s3-seal.ts'
import { deleteStaged } from './s3-staging.ts'

/** A PUT that started just before its URL expired may take this much longer. */
const longestPutSeconds = 24 * 60 * 60
const sealedGraceSeconds = 60 * 60
const unusedUploadSeconds = 24 * 60 * 60

/**
 * Returns the multipart upload from which the object of a verified upload was completed, or null if it was sent with a
 * single PUT. Returns undefined if that is not known.
 */
export type FindCompletedUpload = (key: string) => Promise<{ multipartId: string | null } | undefined>

/** Deletes bytes that clients have sent to keys that accept no more bytes. `now` is the time of this service. */
export async function sweepStaging(
  store: S3Store,
  now: Date,
  findCompletedUpload: FindCompletedUpload,
): Promise<void> {
  const ageOf = (time: Date): number => (now.getTime() - time.getTime()) / 1000
  await sweepDiscarded(store, ageOf)
  await sweepSealed(store, ageOf)
  await sweepUploads(store, ageOf, findCompletedUpload)
}

type AgeOf = (time: Date) => number

/** Deletes the bytes of discarded keys again, and forgets the keys once no signed URL for them can be valid. */
async function sweepDiscarded(store: S3Store, ageOf: AgeOf): Promise<void> {
  const { calls, layout } = store
  for await (const { name, storedAt } of listObjects(calls, `${layout.prefix}discarded/`)) {
    const key = layout.readName(name)?.key
    if (key === undefined) continue
    await deleteStaged(store, key, '')
    if (ageOf(storedAt) > maxPutUrlSeconds + longestPutSeconds) await deleteObject(calls, name)
  }
}

/** Deletes the bodies that were sent with a single PUT to a key that is already sealed. */
async function sweepSealed({ calls, layout }: S3Store, ageOf: AgeOf): Promise<void> {
  for await (const { name, storedAt } of listObjects(calls, `${layout.prefix}staging/`)) {
    const key = layout.readName(name)?.key
    if (key === undefined || ageOf(storedAt) < sealedGraceSeconds) continue
    if ((await findObject(calls, layout.objects(key))) !== undefined) await deleteObject(calls, name)
  }
}

/**
 * Aborts unused multipart uploads of sealed keys. Several exist if they were opened for one file concurrently, or if the
 * service replaced one that the store temporarily did not find.
 */
async function sweepUploads(store: S3Store, ageOf: AgeOf, findCompleted: FindCompletedUpload): Promise<void> {
  const { calls, layout } = store
  for await (const uploads of groupByName(listUploads(calls, `${layout.prefix}objects/`))) {
    const [{ name } = { name: '' }] = uploads
    const key = layout.readName(name)?.key
    const old = uploads.filter(({ openedAt }) => ageOf(openedAt) >= unusedUploadSeconds)
    if (key === undefined || old.length === 0) continue
    const object = await findObject(calls, name)
    if (object === undefined) continue
    const withParts = []
    for (const upload of old) {
      const parts = await listParts(calls, name, upload.uploadId)
      if (parts.length === 0) await abortUpload(calls, name, upload.uploadId)
      else withParts.push({ ...upload, parts })
    }
    if (withParts.length === 0) continue
    const completed = await findCompleted(key)
    // Some stores keep a completed upload in the list if they were interrupted. Aborting it would delete its parts.
    if (completed === undefined || uploads.some(({ uploadId }) => uploadId === completed.multipartId))
      continue
    for (const { uploadId, parts } of withParts)
      if (!mayConsistOf(object, parts)) await abortUpload(calls, name, uploadId)
  }
}

/** Groups uploads, which are listed in the order of their names. */
async function* groupByName(uploads: AsyncIterable<S3Upload>): AsyncGenerator<S3Upload[]> {
  let group: S3Upload[] = []
  for await (const upload of uploads) {
    if (group[0] !== undefined && group[0].name !== upload.name) {
      yield group
      group = []
    }
    group.push(upload)
  }
  yield group
}
