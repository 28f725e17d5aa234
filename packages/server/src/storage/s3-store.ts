import { createHash } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { SealedObject, StreamedContent } from './driver.ts'
import { alreadySealed } from './local-tombstone.ts'
import { s3Unavailable } from './s3-errors.ts'
import { abortUpload, findObject, unquoted } from './s3-objects.ts'
import { describeObject, type S3Store } from './s3-seal.ts'

const partBytes = 16 * 1024 * 1024
const contentType = 'application/octet-stream'
const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('base64')

/**
 * Stores content as a sealed object. Each part is kept in memory until S3 has acknowledged it, so that it can be sent
 * again.
 */
export async function storeContent(
  store: S3Store,
  key: string,
  content: Uint8Array | StreamedContent,
): Promise<SealedObject> {
  const { calls, layout } = store
  const target = layout.objects(key)
  if ((await findObject(calls, target)) !== undefined) throw alreadySealed()
  const hash = createHash('sha256')
  const md5 = createHash('md5')
  const { sizeBytes, chunks } =
    content instanceof Uint8Array ? { sizeBytes: content.length, chunks: [content] } : content
  const parts = splitParts(observe(chunks, [hash, md5]), sizeBytes)
  if (sizeBytes <= partBytes) for await (const part of parts) await putWhole(store, target, part)
  else await putParts(store, target, parts)
  const found = await findObject(calls, target)
  if (found === undefined || found.sizeBytes !== sizeBytes) throw s3Unavailable()
  return { ...describeObject(key, found), md5: md5.digest('hex'), sha256: hash.digest('hex') }
}

async function putWhole(
  { calls: { run, bucket } }: S3Store,
  target: string,
  bytes: Uint8Array,
): Promise<void> {
  const input = {
    Bucket: bucket,
    Key: target,
    Body: bytes,
    ContentType: contentType,
    ContentMD5: md5Of(bytes),
  }
  await run((client, options) => client.send(new PutObjectCommand(input), options))
}

async function putParts({ calls }: S3Store, target: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const { run, runLong, bucket } = calls
  const object = { Bucket: bucket, Key: target }
  const { UploadId: uploadId = '' } = await run((client, options) =>
    client.send(new CreateMultipartUploadCommand({ ...object, ContentType: contentType }), options),
  )
  try {
    const sent: { PartNumber: number; ETag: string }[] = []
    for await (const bytes of parts) {
      const PartNumber = sent.length + 1
      const input = { ...object, UploadId: uploadId, PartNumber, Body: bytes, ContentMD5: md5Of(bytes) }
      const { ETag } = await runLong((client, options) => client.send(new UploadPartCommand(input), options))
      sent.push({ PartNumber, ETag: `"${unquoted(ETag)}"` })
    }
    const input = { ...object, UploadId: uploadId, MultipartUpload: { Parts: sent } }
    await runLong((client, options) => client.send(new CompleteMultipartUploadCommand(input), options))
  } catch (error) {
    // If the response to the last call was lost, the object exists, and an abort could delete its parts.
    if ((await findObject(calls, target).catch(() => undefined)) === undefined)
      await abortUpload(calls, target, uploadId).catch(() => undefined)
    else return
    throw error
  }
}

async function* observe(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  hashes: { update(bytes: Uint8Array): unknown }[],
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (const hash of hashes) hash.update(chunk)
    yield chunk
  }
}

/** Yields parts of 16 MiB. Throws unless the chunks have exactly `sizeBytes` bytes, before the last part is yielded. */
async function* splitParts(chunks: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(Math.min(partBytes, sizeBytes))
  let filled = 0
  let totalBytes = 0
  for await (const chunk of chunks) {
    totalBytes += chunk.length
    if (totalBytes > sizeBytes) throw new RangeError(`the content has more than ${sizeBytes} bytes`)
    for (let offset = 0; offset < chunk.length;) {
      if (filled === part.length) {
        yield part
        part = new Uint8Array(Math.min(partBytes, sizeBytes - totalBytes + chunk.length - offset))
        filled = 0
      }
      const length = Math.min(chunk.length - offset, part.length - filled)
      part.set(chunk.subarray(offset, offset + length), filled)
      offset += length
      filled += length
    }
  }
  if (totalBytes !== sizeBytes) throw new RangeError(`the content has ${totalBytes} bytes, not ${sizeBytes}`)
  yield part
}
