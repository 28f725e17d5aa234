import { CompleteMultipartUploadCommand, CopyObjectCommand } from '@aws-sdk/client-s3'
import type { SealedObject, StagedPart } from '../driver.ts'
import { alreadySealed } from '../local/local-tombstone.ts'
import { partMissing, partTooSmall, storageUnavailable } from '../storage-errors.ts'
import { multipartEtag, partRuns } from './s3-checksums.ts'
import type { S3Calls } from './s3-client.ts'
import { isMissing, isOutage, isS3Error } from './s3-errors.ts'
import type { S3Layout } from './s3-layout.ts'
import { findObject, md5Pattern, type S3Object } from './s3-objects.ts'

export type S3Store = { calls: S3Calls; layout: S3Layout }

const maxAttempts = 3

/**
 * Turns the chosen attempts into the object objects/<key>. Only HEAD determines the outcome, because the response to a
 * copy or to a completed upload can be lost, and S3 can report success before or without storing the object.
 */
export async function sealChosen(
  { calls, layout }: S3Store,
  key: string,
  multipartId: string,
  chosen: StagedPart[],
): Promise<SealedObject> {
  const [first] = chosen
  const isWhole = first?.partNumber === 0
  if (first === undefined || (isWhole ? chosen.length > 1 : multipartId === '')) throw partMissing()
  if (chosen.some(({ partNumber }) => partNumber === 0) !== isWhole) throw partMissing()
  const target = layout.objects(key)
  const [existing, whole] = await Promise.all([
    findObject(calls, target),
    isWhole ? findObject(calls, layout.staging(key)) : undefined,
  ])
  // Ceph ignores x-amz-copy-source-if-match, so that a copy would seal the body of a later PUT.
  if (isWhole && existing === undefined && whole?.etag !== first.etag) throw partMissing()
  let found = existing
  let failure: unknown
  for (let attempt = 1; found === undefined && attempt <= maxAttempts; attempt++) {
    failure = await (
      isWhole
        ? copyWhole(calls, { source: layout.staging(key), target, etag: first.etag })
        : completeUpload(calls, { target, multipartId, chosen })
    ).then(
      () => undefined,
      (error: unknown) => error ?? new Error('unknown failure'),
    )
    found = await findObject(calls, target)
    if (found === undefined && failure !== undefined && !isOutage(failure)) break
  }
  if (found === undefined) throw reasonOf(failure)
  return describeSealed(key, found, chosen)
}

async function copyWhole(
  { runLong, bucket }: S3Calls,
  { source, target, etag }: { source: string; target: string; etag: string },
): Promise<void> {
  const input = {
    Bucket: bucket,
    Key: target,
    CopySource: encodeURI(`${bucket}/${source}`),
    // A PUT that arrives in the meantime may replace the source.
    CopySourceIfMatch: `"${etag}"`,
  }
  await runLong((client, options) => client.send(new CopyObjectCommand(input), options))
}

async function completeUpload(
  { runLong, bucket }: S3Calls,
  { target, multipartId, chosen }: { target: string; multipartId: string; chosen: StagedPart[] },
): Promise<void> {
  const Parts = chosen.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: `"${etag}"` }))
  const input = { Bucket: bucket, Key: target, UploadId: multipartId, MultipartUpload: { Parts } }
  await runLong((client, options) => client.send(new CompleteMultipartUploadCommand(input), options))
}

/** Returns the error to throw if the object does not exist after an attempt to create it. */
function reasonOf(failure: unknown): unknown {
  if (isS3Error(failure, 'EntityTooSmall')) return partTooSmall({ cause: failure })
  if (isMissing(failure) || isS3Error(failure, 'InvalidPart', 'InvalidPartOrder', 'PreconditionFailed'))
    return partMissing({ cause: failure })
  return failure === undefined || isOutage(failure) ? storageUnavailable({ cause: failure }) : failure
}

/**
 * Returns the manifest of the object. Throws `storage.already_sealed` if the object does not consist of the chosen
 * attempts, because another call has sealed others.
 */
function describeSealed(key: string, found: S3Object, chosen: StagedPart[]): SealedObject {
  if (!mayConsistOf(found, chosen)) throw alreadySealed()
  const expected = expectedEtag(chosen)
  const object = describeObject(key, found)
  const [segment] = object.segments
  if (segment === undefined || chosen[0]?.partNumber === 0 || found.etag !== expected) return object
  return { ...object, segments: [{ ...segment, parts: partRuns(chosen.map((part) => part.sizeBytes)) }] }
}

type Part = Pick<StagedPart, 'partNumber' | 'etag' | 'sizeBytes'>

/** Returns false if the size or the ETag shows that an object does not consist of these parts. */
export function mayConsistOf(found: S3Object, parts: readonly Part[]): boolean {
  const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  const expected = expectedEtag(parts)
  const isExpected = expected === undefined || isEncrypted(found) || expected === found.etag
  return found.sizeBytes === sizeBytes && isExpected
}

export const describeObject = (key: string, { etag, sizeBytes, hasMd5Etag }: S3Object): SealedObject => ({
  key,
  sizeBytes,
  segments: [{ name: etag, sizeBytes }],
  ...(hasMd5Etag && { md5: etag }),
})

const isEncrypted = ({ etag, hasMd5Etag }: S3Object): boolean => md5Pattern.test(etag) && !hasMd5Etag

/**
 * Returns the ETag of an object that consists of these parts, or undefined if the ETags of the parts are not MD5s, as
 * in R2.
 */
function expectedEtag(chosen: readonly Part[]): string | undefined {
  if (!chosen.every(({ etag }) => md5Pattern.test(etag))) return undefined
  const [first] = chosen
  if (first?.partNumber === 0) return first.etag
  return multipartEtag(chosen.map(({ etag }) => etag))
}
