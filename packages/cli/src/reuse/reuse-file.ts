import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { Chunk } from '@quayside/sdk/chunk-index'
import { Failure } from '../failure.ts'
import { isFileError } from '../files/file-error.ts'
import { cannotWrite } from '../files/file-failure.ts'
import { checksumWithProgress } from '../transfer/file-checksum.ts'
import { runInParallel } from '../transfer/part-plan.ts'
import { composeChunks } from './compose-chunks.ts'
import { fetchRange, joinPieces } from './fetch-chunks.ts'
import type { RemotePiece } from './fetch-chunks.ts'
import { findChunks, sha256 } from './find-chunks.ts'
import type { ChunkSource, FoundChunks } from './find-chunks.ts'
import type { LocalPieces } from './local-pieces.ts'
import { patchFile } from './patch-file.ts'
import { ReuseError } from './reuse-context.ts'
import type { ReuseContext, ReusedFile } from './reuse-context.ts'

/** How a file was downloaded, and the bytes that were transferred and that were not. */
export type Reused = { reusedBytes: number; receivedBytes: number; method: 'patch' | 'chunks' }

const parallelRanges = 4
/** Chunks that are put together from pieces are kept in memory. */
const maxBatchBytes = 32 * 1024 * 1024

/**
 * Puts a file together from local files, and from a patch or ranges that are downloaded, whichever is smaller. Verifies its
 * checksum and renames it to its target. An interrupted run leaves what the next run uses. Throws `ReuseError` if the whole
 * file has to be downloaded.
 */
export async function reuseFile(context: ReuseContext, file: ReusedFile): Promise<Reused> {
  try {
    const found = await findChunks(context, file.reuse, file.index)
    const patched = await patchFile(context, file, found)
    if (patched !== undefined) return { ...patched, method: 'patch' }
    const counts = await assemble(context, file, found)
    await rename(file.partialPath, file.target)
    return { ...counts, method: 'chunks' }
  } catch (error) {
    if (error instanceof ReuseError) await rm(file.partialPath, { force: true })
    if (context.signal.aborted)
      throw new Failure(
        'interrupted',
        `Interrupted while downloading ${file.filename}. Rerun the command to resume.`,
      )
    throw isFileError(error) ? cannotWrite(file.target, error) : error
  }
}

async function assemble(
  context: ReuseContext,
  file: ReusedFile,
  { found, pieces }: FoundChunks,
): Promise<{ reusedBytes: number; receivedBytes: number }> {
  const { index, filename, partialPath } = file
  const handle = await open(partialPath, constants.O_RDWR | constants.O_CREAT, 0o666)
  try {
    const present = await findPresent(context, handle, index.chunks)
    const missing = index.chunks.filter((chunk) => !present.has(chunk))
    if (present.size === 0 && !missing.some((chunk) => found.has(chunk.sha256)))
      throw new ReuseError('The local files have nothing in common with it.')
    const local = await copyFound(context, handle, missing, found)
    const fetched = new Map<string, Chunk>()
    const repeated: Chunk[] = []
    for (const chunk of missing) {
      if (local.has(chunk)) continue
      if (fetched.has(chunk.sha256)) repeated.push(chunk)
      else fetched.set(chunk.sha256, chunk)
    }
    await pieces.find(index, [...fetched.values()], context.signal)
    const receivedBytes = await fetchMissing(context, file, handle, { chunks: [...fetched.values()], pieces })
    for (const chunk of repeated)
      await copyChunk(handle, fetched.get(chunk.sha256)?.start ?? 0, handle, chunk)
    await handle.truncate(index.fileBytes)
    await handle.sync()
    const { algorithm, hex } = file.checksum
    const result = { filename, handle, sizeBytes: index.fileBytes }
    if ((await checksumWithProgress(context, result, algorithm)) !== hex)
      throw new ReuseError('The result does not match its checksum.')
    return { reusedBytes: Math.max(0, index.fileBytes - receivedBytes), receivedBytes }
  } finally {
    await handle.close()
  }
}

/** Fetches chunks without the pieces that local files contain. Returns the number of bytes received. */
async function fetchMissing(
  context: ReuseContext,
  file: ReusedFile,
  handle: FileHandle,
  { chunks, pieces }: { chunks: readonly Chunk[]; pieces: LocalPieces },
): Promise<number> {
  const { index, filename } = file
  const progress = context.output.progress({
    label: filename,
    totalBytes: index.fileBytes,
    alreadyDoneBytes: index.fileBytes - sumOf(chunks),
  })
  let receivedBytes = 0
  const fetch = async (missing: readonly RemotePiece[], write: WritePiece) => {
    const onPiece = async (bytes: Buffer, piece: RemotePiece) => {
      receivedBytes += bytes.length
      await write(bytes, piece)
    }
    await runInParallel(joinPieces(missing), parallelRanges, context.signal, (range, signal) =>
      fetchRange({ ...context, signal, file, write: onPiece }, range),
    )
  }
  const write = async (bytes: Buffer, { start }: RemotePiece) => {
    await handle.write(bytes, 0, bytes.length, start)
    progress.add(bytes.length)
  }
  const hasPieces = (chunk: Chunk) => pieces.pathsOf(chunk).size > 0
  try {
    await fetch(
      chunks.filter((chunk) => !hasPieces(chunk)),
      write,
    )
    for (const composed of inBatches(chunks.filter(hasPieces))) {
      const { found } = await composeChunks(composed, (chunk, bytes) => pieces.fill(chunk, bytes), fetch)
      for (const chunk of composed) await write(found.get(chunk.sha256) ?? Buffer.alloc(0), chunk)
    }
  } finally {
    progress.end()
  }
  return receivedBytes
}

type WritePiece = (bytes: Buffer, piece: RemotePiece) => Promise<void> | void

/** Yields chunks in groups that fit into memory. */
function* inBatches(chunks: readonly Chunk[]): Generator<Chunk[]> {
  let batch: Chunk[] = []
  let batchBytes = 0
  for (const chunk of chunks) {
    if (batchBytes >= maxBatchBytes) {
      yield batch
      batch = []
      batchBytes = 0
    }
    batch.push(chunk)
    batchBytes += chunk.sizeBytes
  }
  if (batch.length > 0) yield batch
}

/** Returns the chunks that an interrupted run has already written. */
async function findPresent(
  { signal }: ReuseContext,
  handle: FileHandle,
  chunks: readonly Chunk[],
): Promise<Set<Chunk>> {
  const { size } = await handle.stat()
  const present = new Set<Chunk>()
  for (const chunk of chunks) {
    if (chunk.start + chunk.sizeBytes > size) break
    signal.throwIfAborted()
    if ((await readChunk(handle, chunk.start, chunk)) !== undefined) present.add(chunk)
  }
  return present
}

/** Copies chunks from local files. Returns those that the files still contain. */
async function copyFound(
  { signal }: ReuseContext,
  handle: FileHandle,
  chunks: readonly Chunk[],
  found: ReadonlyMap<string, ChunkSource>,
): Promise<Set<Chunk>> {
  const copied = new Set<Chunk>()
  const byPath = new Map<string, Chunk[]>()
  for (const chunk of chunks) {
    const path = found.get(chunk.sha256)?.path
    if (path === undefined) continue
    const ofPath = byPath.get(path)
    if (ofPath === undefined) byPath.set(path, [chunk])
    else ofPath.push(chunk)
  }
  for (const [path, ofPath] of byPath) {
    const source = await open(path)
    try {
      for (const chunk of ofPath) {
        signal.throwIfAborted()
        const start = found.get(chunk.sha256)?.start ?? 0
        if (await copyChunk(source, start, handle, chunk)) copied.add(chunk)
      }
    } finally {
      await source.close()
    }
  }
  return copied
}

/** Returns whether the source contains the chunk. */
async function copyChunk(
  source: FileHandle,
  start: number,
  handle: FileHandle,
  chunk: Chunk,
): Promise<boolean> {
  const bytes = await readChunk(source, start, chunk)
  if (bytes === undefined) return false
  await handle.write(bytes, 0, bytes.length, chunk.start)
  return true
}

/** Returns the bytes of a chunk, or undefined if the file contains others. */
async function readChunk(
  handle: FileHandle,
  start: number,
  { sizeBytes, sha256: hash }: Chunk,
): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(sizeBytes)
  const { bytesRead } = await handle.read(bytes, 0, sizeBytes, start)
  return bytesRead === sizeBytes && sha256(bytes) === hash ? bytes : undefined
}

const sumOf = (chunks: Iterable<Chunk>): number => {
  let sum = 0
  for (const { sizeBytes } of chunks) sum += sizeBytes
  return sum
}
