import { createHash } from 'node:crypto'
import type { SealedObject, StreamedContent } from '../driver.ts'
import { alreadySealed } from '../local/local-tombstone.ts'
import { storageUnavailable } from '../storage-errors.ts'
import { findObject } from './s3-objects.ts'
import { joinChunks, putObject } from './s3-put.ts'
import { describeObject, type S3Store } from './s3-seal.ts'

/** Stores content as a sealed object. */
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
  await putObject(calls, target, joinChunks(exactly(sizeBytes, observe(chunks, [hash, md5]))))
  const found = await findObject(calls, target)
  if (found === undefined || found.sizeBytes !== sizeBytes) throw storageUnavailable()
  return { ...describeObject(key, found), md5: md5.digest('hex'), sha256: hash.digest('hex') }
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

/** Yields the chunks. Throws unless they have exactly `sizeBytes` bytes, before the last chunk is yielded. */
async function* exactly(sizeBytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined
  let totalBytes = 0
  for await (const chunk of chunks) {
    totalBytes += chunk.length
    if (totalBytes > sizeBytes) throw new RangeError(`the content has more than ${sizeBytes} bytes`)
    if (held !== undefined) yield held
    held = chunk
  }
  if (totalBytes !== sizeBytes) throw new RangeError(`the content has ${totalBytes} bytes, not ${sizeBytes}`)
  if (held !== undefined) yield held
}
