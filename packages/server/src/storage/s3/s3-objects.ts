import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type ListMultipartUploadsCommandInput,
} from '@aws-sdk/client-s3'
import type { S3Calls } from './s3-client.ts'
import { isMissing, isOutage } from './s3-errors.ts'

export type S3Object = {
  name: string
  /** Without quotes. */
  etag: string
  sizeBytes: number
  storedAt: Date
  /** Whether the ETag of an object that was stored with a single PUT is the MD5 of its bytes. */
  hasMd5Etag: boolean
  isEncryptedWithOwnKey: boolean
}

export type S3Upload = { name: string; uploadId: string; openedAt: Date }

export type S3Part = { partNumber: number; etag: string; sizeBytes: number; storedAt: Date }

export const unquoted = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '')

export const md5Pattern = /^[0-9a-f]{32}$/

export async function findObject(
  { run, bucket, requireBucket }: S3Calls,
  name: string,
  signal?: AbortSignal,
): Promise<S3Object | undefined> {
  try {
    const found = await run(
      (client, options) => client.send(new HeadObjectCommand({ Bucket: bucket, Key: name }), options),
      signal,
    )
    const etag = unquoted(found.ETag)
    const isEncrypted = isEncryptedWithOwnKey(found)
    return {
      name,
      etag,
      sizeBytes: found.ContentLength ?? 0,
      storedAt: found.LastModified ?? new Date(0),
      hasMd5Etag: md5Pattern.test(etag) && !isEncrypted,
      isEncryptedWithOwnKey: isEncrypted,
    }
  } catch (error) {
    if (!isMissing(error)) throw error
    await requireBucket()
    return undefined
  }
}

/** Returns the size of the first part of a multipart object, or undefined if the store does not report it. */
export async function findFirstPartBytes(
  { run, bucket }: S3Calls,
  name: string,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const input = { Bucket: bucket, Key: name, PartNumber: 1 }
  try {
    const head = await run((client, options) => client.send(new HeadObjectCommand(input), options), signal)
    return head.ContentLength
  } catch (error) {
    if (isOutage(error)) throw error
    return undefined
  }
}

/** With SSE-KMS and SSE-C, an ETag looks like an MD5 but is not the MD5 of the bytes. */
export const isEncryptedWithOwnKey = (head: {
  ServerSideEncryption?: string | undefined
  SSECustomerAlgorithm?: string | undefined
}): boolean =>
  head.ServerSideEncryption?.startsWith('aws:kms') === true || head.SSECustomerAlgorithm !== undefined

/** Deletes an object. Idempotent. */
export async function deleteObject({ run, bucket }: S3Calls, name: string): Promise<void> {
  await run((client, options) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key: name }), options))
}

/** Stores a short text, which replaces an earlier one. */
export async function putText({ run, bucket }: S3Calls, name: string, text: string): Promise<void> {
  // For an empty text, the client would send no Content-Length.
  const ContentLength = Buffer.byteLength(text)
  const input = { Bucket: bucket, Key: name, Body: text, ContentLength, ContentType: 'text/plain' }
  await run((client, options) => client.send(new PutObjectCommand(input), options))
}

/** Lists the objects whose names start with `prefix`, in the order of their names. */
export async function* listObjects(
  { run, bucket }: S3Calls,
  prefix: string,
  maxKeys?: number,
): AsyncGenerator<{ name: string; sizeBytes: number; storedAt: Date }> {
  for (let token: string | undefined, isLast = false; !isLast;) {
    const input = {
      Bucket: bucket,
      Prefix: prefix,
      ...(token !== undefined && { ContinuationToken: token }),
      ...(maxKeys !== undefined && { MaxKeys: maxKeys }),
    }
    const page = await run((client, options) => client.send(new ListObjectsV2Command(input), options))
    for (const {
      Key: name = '',
      Size: sizeBytes = 0,
      LastModified: storedAt = new Date(),
    } of page.Contents ?? [])
      yield { name, sizeBytes, storedAt }
    token = page.NextContinuationToken
    isLast = page.IsTruncated !== true || token === undefined
  }
}

/** Lists the unfinished multipart uploads of objects whose names start with `prefix`. */
export async function* listUploads({ run, bucket }: S3Calls, prefix: string): AsyncGenerator<S3Upload> {
  const input: ListMultipartUploadsCommandInput = { Bucket: bucket, Prefix: prefix }
  for (let isLast = false; !isLast;) {
    const page = await run((client, options) => client.send(new ListMultipartUploadsCommand(input), options))
    for (const {
      Key: name = '',
      UploadId: uploadId = '',
      Initiated: openedAt = new Date(),
    } of page.Uploads ?? [])
      yield { name, uploadId, openedAt }
    input.KeyMarker = page.NextKeyMarker
    input.UploadIdMarker = page.NextUploadIdMarker
    isLast = page.IsTruncated !== true || page.NextKeyMarker === undefined
  }
}

/** Lists the last stored attempt of each part, by part number. Returns an empty list for an unknown upload. */
export async function listParts({ run, bucket }: S3Calls, name: string, uploadId: string): Promise<S3Part[]> {
  const parts: S3Part[] = []
  try {
    for (let marker: string | undefined, isLast = false; !isLast;) {
      const input = {
        Bucket: bucket,
        Key: name,
        UploadId: uploadId,
        ...(marker !== undefined && { PartNumberMarker: marker }),
      }
      const page = await run((client, options) => client.send(new ListPartsCommand(input), options))
      for (const { PartNumber: partNumber = 0, ETag, Size = 0, LastModified = new Date() } of page.Parts ??
        [])
        parts.push({ partNumber, etag: unquoted(ETag), sizeBytes: Size, storedAt: LastModified })
      marker = page.NextPartNumberMarker
      isLast = page.IsTruncated !== true || marker === undefined
    }
  } catch (error) {
    if (!isMissing(error)) throw error
    return []
  }
  return parts.toSorted((a, b) => a.partNumber - b.partNumber)
}

/** Deletes every object whose name starts with the prefix. */
export async function deleteObjects(calls: S3Calls, prefix: string): Promise<void> {
  for await (const { name } of listObjects(calls, prefix)) await deleteObject(calls, name)
}

/** Returns whether a multipart upload is unfinished. */
export async function hasUpload({ run, bucket }: S3Calls, name: string, uploadId: string): Promise<boolean> {
  const input = { Bucket: bucket, Key: name, UploadId: uploadId, MaxParts: 1 }
  try {
    await run((client, options) => client.send(new ListPartsCommand(input), options))
    return true
  } catch (error) {
    if (!isMissing(error)) throw error
    return false
  }
}

/** Aborts a multipart upload and deletes its parts. Idempotent. */
export async function abortUpload({ run, bucket }: S3Calls, name: string, uploadId: string): Promise<void> {
  const input = { Bucket: bucket, Key: name, UploadId: uploadId }
  try {
    await run((client, options) => client.send(new AbortMultipartUploadCommand(input), options))
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
