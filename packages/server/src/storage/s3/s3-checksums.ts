import { createHash } from 'node:crypto'
import { ReadMismatch } from '../damaged-file.ts'
import type { SealedObject, Segment } from '../driver.ts'
import type {
  AllDigests,
  HashPool,
  ReadChecksums,
  RecordedChecksums,
  SingleHash,
} from '../objects/hashing.ts'
import { freeMemory } from '../transfer/request-body.ts'
import type { S3Calls } from './s3-client.ts'
import { findFirstPartBytes, findObject, md5Pattern } from './s3-objects.ts'
import { etagOf, readObject } from './s3-read.ts'

const hashBufferBytes = 512 * 1024
const maxReads = 3
const mib = 1024 * 1024
/** S3 allows only the last part to be smaller. */
const minPartMib = 5

type ReadOptions = { signal?: AbortSignal | undefined; recorded?: RecordedChecksums | undefined }

/**
 * Returns the checksums of an object. If its ETag is an MD5 or is computed from the MD5s of known parts, the bytes are
 * compared with it and read again if they differ. Otherwise, they are read until two reads are the same or one has the
 * recorded checksums. Throws `ReadMismatch` after three reads, and `DamagedFile` if the object is missing or another one.
 */
export async function objectChecksums(
  { calls, hashes }: { calls: S3Calls; hashes: HashPool },
  name: string,
  object: SealedObject,
  { signal, recorded }: ReadOptions = {},
): Promise<ReadChecksums> {
  const etag = etagOf(object)
  const known = object.segments[0]?.parts
  const parts = known ?? (await findEqualParts(calls, { name, etag, sizeBytes: object.sizeBytes, signal }))
  let previous: AllDigests | undefined
  for (let reads = 1; ; reads++) {
    const chunks = readObject(calls, name, object)
    const { digests, partMd5s } = await hashParts(hashes, { object, chunks, parts, signal })
    const expected = parts === undefined ? digests.md5 : multipartEtag(partMd5s)
    if (expected === etag) return { ...digests, isConfirmed: true }
    const isComparable =
      (md5Pattern.test(etag) || known !== undefined) &&
      // With SSE-KMS and SSE-C, ETags look like MD5s but are not.
      (await findObject(calls, name, signal))?.isEncryptedWithOwnKey !== true
    if (!isComparable && (isRecorded(digests, recorded) || digests.sha256 === previous?.sha256))
      return { ...digests, isConfirmed: false }
    previous = digests
    if (reads === maxReads) throw new ReadMismatch(object.key)
  }
}

const isRecorded = ({ md5, sha256 }: AllDigests, recorded: RecordedChecksums | undefined): boolean =>
  recorded?.sha256 === sha256 && (recorded.md5 ?? md5) === md5

/**
 * Returns the probable parts of a multipart object whose manifest does not contain them: all except the last have the
 * size of the first or, if the store does not report it, a round number of MiB. Returns undefined if they cannot have.
 */
async function findEqualParts(
  calls: S3Calls,
  {
    name,
    etag,
    sizeBytes,
    signal,
  }: { name: string; etag: string; sizeBytes: number; signal: ReadOptions['signal'] },
): Promise<Segment['parts']> {
  const count = Number(/^[0-9a-f]{32}-(\d+)$/.exec(etag)?.[1] ?? 0)
  if (count === 0) return undefined
  if (count === 1) return [[sizeBytes, 1]]
  const toParts = (firstBytes: number): Segment['parts'] => {
    const lastBytes = sizeBytes - (count - 1) * firstBytes
    if (lastBytes <= 0 || lastBytes > firstBytes) return undefined
    return partRuns([...Array.from({ length: count - 1 }, () => firstBytes), lastBytes])
  }
  const reportedBytes = await findFirstPartBytes(calls, name, signal)
  // Ceph reports the size of the object.
  if (reportedBytes !== undefined && reportedBytes < sizeBytes) return toParts(reportedBytes)
  return toParts(roundestMib(Math.max(sizeBytes / count, minPartMib * mib), sizeBytes / (count - 1)) * mib)
}

/** Returns the number of MiB between two sizes in bytes that is a multiple of the largest power of two. */
function roundestMib(minBytes: number, maxBytes: number): number {
  let step = 1
  while (Math.ceil(minBytes / mib / (step * 2)) * step * 2 * mib < maxBytes) step *= 2
  return Math.ceil(minBytes / mib / step) * step
}

/** Returns the ETag of a multipart upload from the MD5s of its parts. */
export function multipartEtag(partMd5s: readonly string[]): string {
  const hash = createHash('md5')
  for (const md5 of partMd5s) hash.update(Buffer.from(md5, 'hex'))
  return `${hash.digest('hex')}-${partMd5s.length}`
}

/** Returns parts as runs of a size and a count, because nearly all parts of a file have the same size. */
export function partRuns(sizes: readonly number[]): NonNullable<Segment['parts']> {
  const runs: NonNullable<Segment['parts']> = []
  for (const size of sizes) {
    const last = runs.at(-1)
    if (last?.[0] === size) last[1] += 1
    else runs.push([size, 1])
  }
  return runs
}

function* partSizes(runs: Segment['parts']): Generator<number, undefined, undefined> {
  for (const [size, count] of runs ?? []) for (let index = 0; index < count; index++) yield size
}

type Input = {
  object: Pick<SealedObject, 'sizeBytes'>
  chunks: AsyncIterable<Uint8Array>
  parts: Segment['parts']
  signal: AbortSignal | undefined
}

/** Hashes chunks on the hashing threads, which read them from shared memory. The chunks are empty afterwards. */
export const hashChunks = async (
  hashes: HashPool,
  sizeBytes: number,
  chunks: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<AllDigests> => {
  const input = { object: { sizeBytes }, chunks, parts: undefined, signal }
  return (await hashParts(hashes, input)).digests
}

/** Also returns the MD5s of the parts, if they are known. */
async function hashParts(
  hashes: HashPool,
  { object: { sizeBytes }, chunks, parts, signal }: Input,
): Promise<{ digests: AllDigests; partMd5s: string[] }> {
  const hashing = hashes.startAll(sizeBytes)
  const sizes = partSizes(parts)
  let partBytesLeft = sizes.next().value ?? Infinity
  let part: SingleHash | undefined
  const partMd5s: string[] = []
  const buffers = [0, 1].map(
    () => new Uint8Array(new SharedArrayBuffer(Math.min(hashBufferBytes, sizeBytes))),
  )
  let [current, spare] = buffers as [Uint8Array<SharedArrayBuffer>, Uint8Array<SharedArrayBuffer>]
  let filled = 0
  let pending: Promise<unknown> = Promise.resolve()
  const flush = async (): Promise<void> => {
    await pending
    pending = Promise.all([hashing.update(current.buffer, filled), part?.update(current.buffer, filled)])
    // The next flush awaits this update. Without a handler, an earlier failure would be an unhandled rejection.
    pending.catch(() => undefined)
    ;[current, spare] = [spare, current]
    filled = 0
  }
  const finishPart = async (): Promise<void> => {
    await pending
    if (part !== undefined) partMd5s.push(await part.digest())
    part = undefined
    partBytesLeft = sizes.next().value ?? Infinity
  }
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted()
      for (let offset = 0; offset < chunk.length;) {
        if (partBytesLeft !== Infinity) part ??= hashes.startMd5(partBytesLeft)
        const length = Math.min(chunk.length - offset, current.length - filled, partBytesLeft)
        current.set(chunk.subarray(offset, offset + length), filled)
        offset += length
        filled += length
        partBytesLeft -= length
        if (filled === current.length || partBytesLeft === 0) await flush()
        if (partBytesLeft === 0) await finishPart()
      }
      freeMemory(chunk)
    }
    if (filled > 0) await flush()
    await pending
    return { digests: await hashing.digest(), partMd5s }
  } catch (error) {
    hashing.abort()
    part?.abort()
    throw error
  }
}
