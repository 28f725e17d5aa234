import { maxPutUrlSeconds } from './driver.ts'
import { abortUpload, deleteObject, findObject, listObjects, listParts, listUploads } from './s3-objects.ts'
import type { S3Store } from './s3-seal.ts'
import { deleteStaged } from './s3-staging.ts'

/** A PUT that started just before its URL expired may take this much longer. */
const longestPutSeconds = 24 * 60 * 60
const sealedGraceSeconds = 60 * 60
const emptyUploadSeconds = 24 * 60 * 60

/** Deletes bytes that clients have sent to keys that accept no more bytes. `now` is the time of this service. */
export async function sweepStaging(store: S3Store, now: Date): Promise<void> {
  const ageOf = (time: Date): number => (now.getTime() - time.getTime()) / 1000
  await sweepDiscarded(store, ageOf)
  await sweepSealed(store, ageOf)
  await sweepEmptyUploads(store, ageOf)
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

/** Aborts unused multipart uploads of sealed keys, which exist if several were opened for one file concurrently. */
async function sweepEmptyUploads({ calls, layout }: S3Store, ageOf: AgeOf): Promise<void> {
  for await (const { name, uploadId, openedAt } of listUploads(calls, `${layout.prefix}objects/`)) {
    if (layout.readName(name) === undefined || ageOf(openedAt) < emptyUploadSeconds) continue
    if ((await findObject(calls, name)) === undefined) continue
    if ((await listParts(calls, name, uploadId)).length === 0) await abortUpload(calls, name, uploadId)
  }
}
