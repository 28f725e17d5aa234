import type { Readable } from 'node:stream'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import { DamagedFile } from '../damaged-file.ts'
import type { ByteRange, SealedObject } from '../driver.ts'
import { storageUnavailable } from '../storage-errors.ts'
import type { S3Calls } from './s3-client.ts'
import { isMissing, isS3Error } from './s3-errors.ts'
import { findObject } from './s3-objects.ts'

const maxStallMs = 10_000
const maxInterruptions = 5

/**
 * Yields the bytes of an object. Continues where the connection was interrupted. Throws `DamagedFile` if the object is
 * missing or is not the one that was sealed.
 */
export async function* readObject(
  calls: S3Calls,
  name: string,
  object: SealedObject,
  range: ByteRange = { start: 0, end: object.sizeBytes - 1 },
): AsyncGenerator<Buffer> {
  let position = range.start
  for (let interruptions = 0; position <= range.end;) {
    const startPosition = position
    try {
      for await (const chunk of openRange(calls, name, object, { start: position, end: range.end })) {
        position += chunk.length
        if (position > range.end + 1) throw resized(object)
        yield chunk
      }
      if (position <= range.end) throw new Error('S3 sent fewer bytes than requested')
    } catch (error) {
      if (error instanceof DamagedFile) throw error
      interruptions = position > startPosition ? 1 : interruptions + 1
      // Without progress, the call itself has already been repeated.
      if (position === startPosition || interruptions > maxInterruptions)
        throw storageUnavailable({ cause: error })
    }
  }
}

async function* openRange(
  { run, bucket }: S3Calls,
  name: string,
  object: SealedObject,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  const input = { Bucket: bucket, Key: name, Range: `bytes=${start}-${end}`, IfMatch: `"${etagOf(object)}"` }
  const { Body } = await run((client) => {
    // The signal of other calls would also end the body, which may take longer than the call.
    const stop = new AbortController()
    const deadline = setTimeout(() => stop.abort(storageUnavailable()), maxStallMs)
    return client
      .send(new GetObjectCommand(input), { abortSignal: stop.signal })
      .finally(() => clearTimeout(deadline))
  }).catch(throwIfDamaged(object))
  const body = Body as Readable
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  try {
    for (;;) {
      const { value, done } = await withoutStall(chunks.next())
      if (done === true) return
      yield value
    }
  } finally {
    body.destroy()
  }
}

/** Throws `DamagedFile` if the object is missing or is not the one that was sealed. */
export async function requireComplete(calls: S3Calls, name: string, object: SealedObject): Promise<void> {
  const found = await findObject(calls, name)
  const file = { key: object.key, partName: etagOf(object) }
  if (found === undefined) throw new DamagedFile('storage.file_missing', file)
  if (found.sizeBytes !== object.sizeBytes) throw resized(object)
  if (found.etag !== etagOf(object)) throw new DamagedFile('storage.file_damaged', file)
}

export const etagOf = ({ segments }: SealedObject): string => segments[0]?.name ?? ''

const resized = (object: SealedObject): DamagedFile =>
  new DamagedFile('storage.file_resized', { key: object.key, partName: etagOf(object) })

const throwIfDamaged =
  (object: SealedObject) =>
  (error: unknown): never => {
    const file = { key: object.key, partName: etagOf(object) }
    if (isMissing(error)) throw new DamagedFile('storage.file_missing', file, error)
    if (isS3Error(error, 'InvalidRange')) throw new DamagedFile('storage.file_resized', file, error)
    if (isS3Error(error, 'PreconditionFailed')) throw new DamagedFile('storage.file_damaged', file, error)
    throw error
  }

async function withoutStall<T>(next: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('S3 stopped sending')), maxStallMs)
  return Promise.race([next, promise]).finally(() => clearTimeout(timer))
}
