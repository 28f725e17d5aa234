import { createHash, hash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import { chunkSizesFor, ChunkIndexWriter } from '@quayside/sdk/chunk-index'
import { ContentCutter } from '@quayside/sdk/content-cutter'
import { PieceSummer } from '@quayside/sdk/piece-sums'
import type { Chunked, ChunkedFile } from './chunk-thread.ts'

/**
 * Returns bytes in pages of their own, which are freed with the thread. `malloc` keeps freed bytes in the arena of each
 * thread: after builds of 2 GB, 17 MB in each of 13 arenas.
 */
const allocate = (length: number) => new Uint8Array(new ArrayBuffer(length, { maxByteLength: length }))

const { sizeBytes } = workerData as ChunkedFile
const sizes = chunkSizesFor(sizeBytes)
const whole = createHash('sha256')
const index = new ChunkIndexWriter(sizes, allocate)
const pieces = new PieceSummer(sizeBytes, sizes.averageBits, crc32, allocate)
const cutter = new ContentCutter(sizes, (chunk) => index.add(chunk.length, hash('sha256', chunk, 'buffer')))

/** Replies to bytes with `undefined` once they have been read, and to `undefined`, the end, with the index. */
parentPort?.on('message', (bytes: Uint8Array | undefined) => {
  if (bytes === undefined) {
    cutter.end()
    const sha256 = whole.digest()
    parentPort?.postMessage({
      index: index.finish(sha256, pieces.finish()),
      sha256: sha256.toString('hex'),
    } satisfies Chunked)
  } else {
    whole.update(bytes)
    cutter.push(bytes)
    pieces.push(bytes)
    parentPort?.postMessage(undefined)
  }
})
