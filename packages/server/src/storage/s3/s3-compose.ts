import { createHash } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { limitConcurrency } from '../../lib/concurrency.ts'
import { DamagedFile } from '../damaged-file.ts'
import type { SealedObject, StagedPart } from '../driver.ts'
import { newBytes, sizeOfRanges, type Composition } from '../objects/composition.ts'
import { cannotCompose, partMissing, storageUnavailable } from '../storage-errors.ts'
import { partRuns } from './s3-checksums.ts'
import type { S3Calls } from './s3-client.ts'
import { isMissing, isS3Error } from './s3-errors.ts'
import { abortUpload, findObject, unquoted } from './s3-objects.ts'
import { readObject } from './s3-read.ts'
import { describeObject, sealChosen, type S3Store } from './s3-seal.ts'

const mebibyte = 1024 ** 2
/** S3 accepts smaller parts only at the end of an object. */
const minPartBytes = 5 * mebibyte
const maxCopyBytes = 1024 * mebibyte
/** Parts grow with the object, which can have 10,000. */
const partsPerObject = 4_000
const maxConcurrentParts = 4
const maxConcurrentReads = 16
/** Unneeded bytes between two pieces are read too if a call takes longer. */
const maxUnneededBytes = 64 * 1024

const refusals = [
  'AccessDenied',
  'InvalidArgument',
  'InvalidRange',
  'InvalidRequest',
  'NotImplemented',
  'PreconditionFailed',
]

/** A range of an object in the bucket. */
type Piece = { name: string; etag: string; offset: number; sizeBytes: number }

/** A part that S3 copies, or several pieces that this process reads and sends. */
export type PlannedPart = { copied: Piece } | { joined: Piece[] }

/**
 * Creates the object that a composition describes within the bucket, from the new bytes in `chosen` and from other objects.
 * The result is an ordinary object. If a call is interrupted, the next one continues with the stored new bytes.
 */
export async function composeObject(
  store: S3Store,
  key: string,
  {
    multipartId,
    chosen,
    composition,
  }: { multipartId: string; chosen: StagedPart[]; composition: Composition },
): Promise<SealedObject> {
  const { calls, layout } = store
  const target = layout.objects(key)
  const sizeBytes = sizeOfRanges({ segments: [], ranges: composition.ranges })
  const existing = await findObject(calls, target)
  if (existing?.sizeBytes === sizeBytes) return describeObject(key, existing)
  const sent = await storeNewBytes(store, key, { multipartId, chosen })
  const pieces = composition.ranges.map(([index, offset, pieceBytes]): Piece => {
    const segment = composition.segments[index]
    if (index === newBytes && sent !== undefined) return { ...sent, offset, sizeBytes: pieceBytes }
    if (segment?.key === undefined) throw partMissing()
    return { name: layout.objects(segment.key), etag: segment.name, offset, sizeBytes: pieceBytes }
  })
  const sizes = await storeParts(store, target, planParts(pieces, sizeBytes)).catch((error: unknown) => {
    // The source is not the expected one any more, or the store or its permissions do not allow copies of ranges.
    const isRefused = error instanceof DamagedFile || isMissing(error) || isS3Error(error, ...refusals)
    throw isRefused ? cannotCompose({ cause: error }) : error
  })
  const found = await findObject(calls, target)
  if (found?.sizeBytes !== sizeBytes) throw storageUnavailable()
  return {
    ...describeObject(key, found),
    segments: [{ name: found.etag, sizeBytes, parts: partRuns(sizes) }],
  }
}

/** Returns the object with the new bytes. Those that arrived in parts are joined at the name of the result first. */
async function storeNewBytes(
  store: S3Store,
  key: string,
  { multipartId, chosen }: { multipartId: string; chosen: StagedPart[] },
): Promise<{ name: string; etag: string } | undefined> {
  const { calls, layout } = store
  const [first] = chosen
  if (first === undefined) return undefined
  if (first.partNumber === 0) {
    const name = layout.staging(key)
    if ((await findObject(calls, name))?.etag !== first.etag) throw partMissing()
    return { name, etag: first.etag }
  }
  const { segments } = await sealChosen(store, key, multipartId, chosen)
  return { name: layout.objects(key), etag: segments[0]?.name ?? '' }
}

/** Returns the parts of an object that consists of these pieces. All but the last have at least 5 MiB. */
export function planParts(pieces: readonly Piece[], objectBytes: number): PlannedPart[] {
  const minCopyBytes = Math.max(2 * minPartBytes, Math.ceil(objectBytes / partsPerObject))
  const maxJoinedBytes = Math.max(16 * mebibyte, Math.ceil(objectBytes / partsPerObject))
  const parts: PlannedPart[] = []
  let joined: Piece[] = []
  let joinedBytes = 0
  const flush = (): void => {
    if (joined.length > 0) parts.push({ joined })
    joined = []
    joinedBytes = 0
  }
  for (const piece of pieces) {
    for (let done = 0; done < piece.sizeBytes;) {
      const leftBytes = piece.sizeBytes - done
      const isLong = leftBytes >= minCopyBytes
      if (isLong && joinedBytes >= minPartBytes) flush()
      const isCopied = isLong && joinedBytes === 0
      const wantedBytes = isLong ? minPartBytes : maxJoinedBytes
      const length = Math.min(leftBytes, isCopied ? maxCopyBytes : wantedBytes - joinedBytes)
      const range = { ...piece, offset: piece.offset + done, sizeBytes: length }
      done += length
      if (isCopied) parts.push({ copied: range })
      else {
        joined.push(range)
        joinedBytes += length
        if (joinedBytes >= maxJoinedBytes) flush()
      }
    }
  }
  flush()
  return parts
}

/** Stores the parts as one object. Returns their sizes. */
async function storeParts({ calls }: S3Store, target: string, parts: PlannedPart[]): Promise<number[]> {
  const { run, runLong, bucket } = calls
  const object = { Bucket: bucket, Key: target }
  const { UploadId: uploadId = '' } = await run((client, options) =>
    client.send(
      new CreateMultipartUploadCommand({ ...object, ContentType: 'application/octet-stream' }),
      options,
    ),
  )
  const upload = { ...object, UploadId: uploadId }
  const limit = limitConcurrency(maxConcurrentParts)
  const reading = limitConcurrency(maxConcurrentReads)
  let hasFailed = false
  try {
    const stored = await Promise.all(
      parts.map((part, index) =>
        limit(async () => {
          if (hasFailed) throw new Error('another part could not be stored')
          try {
            return await storePart(part, index + 1)
          } catch (error) {
            hasFailed = true
            throw error
          }
        }),
      ),
    )
    const Parts = stored.map(({ etag }, index) => ({ PartNumber: index + 1, ETag: `"${etag}"` }))
    await runLong((client, options) =>
      client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }), options),
    )
    return stored.map(({ sizeBytes }) => sizeBytes)
  } catch (error) {
    await abortUpload(calls, target, uploadId).catch(() => undefined)
    throw error
  }

  async function storePart(
    part: PlannedPart,
    PartNumber: number,
  ): Promise<{ etag: string; sizeBytes: number }> {
    if ('copied' in part) {
      const { name, etag, offset, sizeBytes } = part.copied
      const copy = {
        ...upload,
        PartNumber,
        CopySource: encodeURI(`${bucket}/${name}`),
        CopySourceIfMatch: `"${etag}"`,
        CopySourceRange: `bytes=${offset}-${offset + sizeBytes - 1}`,
      }
      const { CopyPartResult } = await runLong((client, options) =>
        client.send(new UploadPartCopyCommand(copy), options),
      )
      return { etag: unquoted(CopyPartResult?.ETag), sizeBytes }
    }
    const Body = await readPieces(part.joined, (piece) => reading(() => readPiece(calls, piece)))
    const ContentMD5 = createHash('md5').update(Body).digest('base64')
    const { ETag } = await runLong((client, options) =>
      client.send(new UploadPartCommand({ ...upload, PartNumber, Body, ContentMD5 }), options),
    )
    return { etag: unquoted(ETag), sizeBytes: Body.length }
  }
}

/**
 * Reads pieces in their order. Those that are near each other in the same object take one call, which reads at most as many
 * unneeded bytes as needed ones.
 */
export async function readPieces(
  pieces: readonly Piece[],
  read: (piece: Piece) => Promise<Buffer>,
): Promise<Buffer> {
  const spans: Piece[] = []
  const spanOf = new Map<Piece, Piece>()
  const sorted = pieces.toSorted((a, b) => a.name.localeCompare(b.name) || a.offset - b.offset)
  for (const piece of sorted) {
    const last = spans.at(-1)
    const unneededBytes = last?.name === piece.name ? piece.offset - last.offset - last.sizeBytes : Infinity
    if (last !== undefined && unneededBytes <= Math.min(maxUnneededBytes, piece.sizeBytes))
      last.sizeBytes = Math.max(last.sizeBytes, piece.offset + piece.sizeBytes - last.offset)
    else spans.push({ ...piece })
    spanOf.set(piece, spans.at(-1) ?? piece)
  }
  const bytesOf = new Map<Piece, Buffer>()
  await Promise.all(spans.map(async (span) => bytesOf.set(span, await read(span))))
  return Buffer.concat(
    pieces.map((piece) => {
      const span = spanOf.get(piece) ?? piece
      const start = piece.offset - span.offset
      return bytesOf.get(span)?.subarray(start, start + piece.sizeBytes) ?? Buffer.alloc(0)
    }),
  )
}

async function readPiece(calls: S3Calls, { name, etag, offset, sizeBytes }: Piece): Promise<Buffer> {
  const source = { key: name, sizeBytes: Number.MAX_SAFE_INTEGER, segments: [{ name: etag, sizeBytes }] }
  const range = { start: offset, end: offset + sizeBytes - 1 }
  const chunks: Uint8Array[] = []
  for await (const chunk of readObject(calls, name, source, range)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
