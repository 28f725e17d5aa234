import { createHash } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { S3Calls } from './s3-client.ts'
import { abortUpload, findObject, unquoted } from './s3-objects.ts'

const minSplitBytes = 16 * 1024 * 1024
/** An upload can have 10,000 parts. Growing parts allow objects of more than 800 GiB without large buffers for small ones. */
const partsPerSize = 1_000

const contentType = 'application/octet-stream'
const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('base64')

/**
 * Stores the parts as one object. Each part is kept in memory until S3 has acknowledged it, so that it can be sent
 * again; S3 compares it with its MD5.
 */
export async function putObject(
  calls: S3Calls,
  name: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<void> {
  const iterator = parts[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done === true) return putWhole(calls, name, new Uint8Array(0))
  const second = await iterator.next()
  if (second.done === true) return putWhole(calls, name, first.value)
  await putParts(calls, name, resume([first.value, second.value], iterator))
}

async function* resume<T>(first: T[], iterator: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* first
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}

async function putWhole({ run, bucket }: S3Calls, name: string, bytes: Uint8Array): Promise<void> {
  const input = {
    Bucket: bucket,
    Key: name,
    Body: bytes,
    // For an empty body, the client would send no Content-Length.
    ContentLength: bytes.length,
    ContentType: contentType,
    ContentMD5: md5Of(bytes),
  }
  await run((client, options) => client.send(new PutObjectCommand(input), options))
}

async function putParts(calls: S3Calls, name: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const { run, runLong, bucket } = calls
  const object = { Bucket: bucket, Key: name }
  const { UploadId: uploadId = '' } = await run((client, options) =>
    client.send(new CreateMultipartUploadCommand({ ...object, ContentType: contentType }), options),
  )
  let isComplete = false
  try {
    const sent: { PartNumber: number; ETag: string }[] = []
    for await (const bytes of parts) {
      const PartNumber = sent.length + 1
      const input = { ...object, UploadId: uploadId, PartNumber, Body: bytes, ContentMD5: md5Of(bytes) }
      const { ETag } = await runLong((client, options) => client.send(new UploadPartCommand(input), options))
      sent.push({ PartNumber, ETag: `"${unquoted(ETag)}"` })
    }
    isComplete = true
    const input = { ...object, UploadId: uploadId, MultipartUpload: { Parts: sent } }
    await runLong((client, options) => client.send(new CompleteMultipartUploadCommand(input), options))
  } catch (error) {
    // If the response to the last call was lost, the object exists, and an abort could delete its parts.
    if (isComplete && (await findObject(calls, name).catch(() => undefined)) !== undefined) return
    await abortUpload(calls, name, uploadId).catch(() => undefined)
    throw error
  }
}

/** Joins chunks to parts of at least 16 MiB, except the last one. The size of the parts grows with their number. */
export async function* joinChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let count = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < minSplitBytes * (1 + Math.floor(count / partsPerSize))) continue
    yield Buffer.concat(held)
    count += 1
    held = []
    heldBytes = 0
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}
