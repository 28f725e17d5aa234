import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { chunkIndexProgram } from '../../../config/package-files.ts'

/** A file whose chunks are computed. */
export type ChunkedFile = { sizeBytes: number }

/** The chunk index of a file, and the SHA-256 of the file in hexadecimal. */
export type Chunked = { index: Uint8Array; sha256: string }

/** Computes the chunk index of a file on a thread of its own. Throws what reading `content` throws. */
export async function computeChunkIndex(
  file: ChunkedFile,
  content: AsyncIterable<Uint8Array>,
): Promise<Chunked> {
  const worker = new Worker(chunkIndexProgram, {
    workerData: file,
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 },
  })
  const send = async (bytes: Uint8Array<ArrayBuffer> | undefined): Promise<Chunked | undefined> => {
    const reply = once(worker, 'message')
    worker.postMessage(bytes, bytes === undefined ? [] : [bytes.buffer])
    const [received] = (await reply) as [Chunked | undefined]
    return received
  }
  try {
    // The next buffer is read while the thread works on this one.
    let working: Promise<Chunked | undefined> | undefined
    for await (const bytes of content) {
      // The memory of a buffer can belong to a pool, and a thread takes the memory that it receives.
      const copy = Uint8Array.from(bytes)
      await working
      working = send(copy)
      working.catch(() => undefined)
    }
    await working
    const chunked = await send(undefined)
    if (chunked === undefined) throw new Error('the chunk thread returned no index')
    return chunked
  } finally {
    await worker.terminate()
  }
}
