import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config/storage.ts'
import type { SealedObject } from '../driver.ts'
import type { S3Calls } from './s3-client.ts'
import { isS3Error } from './s3-errors.ts'
import { s3Layout } from './s3-layout.ts'
import { abortUpload, unquoted } from './s3-objects.ts'
import type { S3Store } from './s3-seal.ts'

const gibibyte = 1024 ** 3
/** S3 copies at most this much with one call. */
const maxCopyBytes = 5 * gibibyte
const rangeBytes = gibibyte

const refusals = ['AccessDenied', 'NotImplemented', 'MethodNotAllowed', 'InvalidRequest', 'NoSuchBucket']

/** Returns whether a call to the bucket of `to` can copy from the bucket of `from`. */
export const canCopy = (from: S3Settings, to: S3Settings): boolean =>
  from.endpoint === to.endpoint && (from.endpoint !== undefined || from.region === to.region)

/**
 * Copies a sealed object from another bucket or prefix of the same store, which does not send it through the network.
 * Returns false if the store does not allow it, for example because the keys cannot read the other bucket.
 */
export async function copyWithinStore(
  { calls, layout }: S3Store,
  from: Pick<S3Settings, 'bucket' | 'prefix'>,
  object: SealedObject,
): Promise<boolean> {
  const source = {
    CopySource: encodeURI(`${from.bucket}/${s3Layout(from.prefix).objects(object.key)}`),
    CopySourceIfMatch: `"${object.segments[0]?.name ?? ''}"`,
  }
  const target = { Bucket: calls.bucket, Key: layout.objects(object.key) }
  try {
    if (object.sizeBytes > maxCopyBytes)
      await copyRanges(calls, { source, target, sizeBytes: object.sizeBytes })
    else
      await calls.runLong((client, options) =>
        client.send(new CopyObjectCommand({ ...target, ...source }), options),
      )
    return true
  } catch (error) {
    if (isS3Error(error, ...refusals)) return false
    throw error
  }
}

type Copy = {
  source: { CopySource: string; CopySourceIfMatch: string }
  target: { Bucket: string; Key: string }
  sizeBytes: number
}

async function copyRanges(calls: S3Calls, { source, target, sizeBytes }: Copy): Promise<void> {
  const { run, runLong } = calls
  const { UploadId: uploadId = '' } = await run((client, options) =>
    client.send(new CreateMultipartUploadCommand(target), options),
  )
  const upload = { ...target, UploadId: uploadId }
  try {
    const Parts: { PartNumber: number; ETag: string }[] = []
    for (let start = 0; start < sizeBytes; start += rangeBytes) {
      const PartNumber = Parts.length + 1
      const CopySourceRange = `bytes=${start}-${Math.min(start + rangeBytes, sizeBytes) - 1}`
      const { CopyPartResult } = await runLong((client, options) =>
        client.send(
          new UploadPartCopyCommand({ ...upload, ...source, PartNumber, CopySourceRange }),
          options,
        ),
      )
      Parts.push({ PartNumber, ETag: `"${unquoted(CopyPartResult?.ETag)}"` })
    }
    await runLong((client, options) =>
      client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), options),
    )
  } catch (error) {
    await abortUpload(calls, target.Key, uploadId).catch(() => undefined)
    throw error
  }
}
