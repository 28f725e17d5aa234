import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3'
import type { StagedFile, StagedPart } from '../driver.ts'
import { safeContentType } from '../transfer/content-disposition.ts'
import { abortUpload, deleteObject, findObject, listParts, listUploads, putText } from './s3-objects.ts'
import type { S3Store } from './s3-seal.ts'

/** Opens a multipart upload on the key of the sealed object, which does not exist until the upload is completed. */
export async function openUpload({ calls, layout }: S3Store, file: StagedFile): Promise<string> {
  const input = {
    Bucket: calls.bucket,
    Key: layout.objects(file.key),
    ContentType: safeContentType(file.contentType),
  }
  const { UploadId: uploadId } = await calls.run((client, options) =>
    client.send(new CreateMultipartUploadCommand(input), options),
  )
  if (uploadId === undefined) throw new Error('S3 returned no upload ID')
  return uploadId
}

/** Aborts a multipart upload unless the key is sealed, for the same reason as in `deleteStaged`. */
export async function abortUnused(
  { calls, layout }: S3Store,
  key: string,
  multipartId: string,
): Promise<void> {
  const target = layout.objects(key)
  if ((await findObject(calls, target)) === undefined) await abortUpload(calls, target, multipartId)
}

/** Lists the body of the last single PUT, if any, and the last attempt of each part. */
export async function listStaged(
  { calls, layout }: S3Store,
  key: string,
  multipartId: string,
): Promise<StagedPart[]> {
  const [whole, parts] = await Promise.all([
    findObject(calls, layout.staging(key)),
    multipartId === '' ? [] : listParts(calls, layout.objects(key), multipartId),
  ])
  const attempts = [...(whole === undefined ? [] : [{ partNumber: 0, ...whole }]), ...parts]
  return attempts.map(({ partNumber, etag, sizeBytes, storedAt }) => ({
    partNumber,
    etag,
    sizeBytes,
    storedAt,
    name: `${partNumber}.${etag}`,
  }))
}

/**
 * Deletes all staged bytes of a key. S3 rejects later PUTs of parts, but accepts a whole file until its URL expires, so
 * the key is recorded as discarded and `sweepDiscarded` deletes its bytes again.
 */
export async function discardStaged(store: S3Store, key: string, multipartId: string): Promise<void> {
  await putText(store.calls, store.layout.discarded(key), '')
  await deleteStaged(store, key, multipartId)
}

/** Deletes all staged bytes of a key. Leaves a sealed object unchanged. */
export async function deleteStaged(
  { calls, layout }: S3Store,
  key: string,
  multipartId: string,
): Promise<void> {
  const target = layout.objects(key)
  // Some stores keep a completed upload in the list if they were interrupted. Aborting it would delete its parts.
  if ((await findObject(calls, target)) === undefined) {
    const uploadIds = new Set(multipartId === '' ? [] : [multipartId])
    for await (const { name, uploadId } of listUploads(calls, target))
      if (name === target) uploadIds.add(uploadId)
    for (const uploadId of uploadIds) await abortUpload(calls, target, uploadId)
  }
  await deleteObject(calls, layout.staging(key))
}

/** Deletes the body of the last single PUT if it is still this attempt. Parts cannot be deleted individually. */
export async function discardAttempt({ calls, layout }: S3Store, key: string, name: string): Promise<void> {
  const staged = await findObject(calls, layout.staging(key))
  if (staged !== undefined && name === `0.${staged.etag}`) await deleteObject(calls, layout.staging(key))
}

/** Aborts the unfinished multipart uploads of all keys. */
export async function abortUploads({ calls, layout }: S3Store): Promise<void> {
  for await (const { name, uploadId } of listUploads(calls, `${layout.prefix}objects/`))
    await abortUpload(calls, name, uploadId)
}
