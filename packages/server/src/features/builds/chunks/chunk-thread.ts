import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { chunkIndexProgram } from '../../../config/package-files.ts'
import { freeMemory } from '../../../storage/transfer/request-body.ts'

/** A file whose chunks are computed. */
export type ChunkedFile = { sizeBytes: number }

/** The chunk index of a file, and the SHA-256 of the file in hexadecimal. */
export type Chunked = { index: Uint8Array; sha256: string }

const bufferBytes = 512 * 1024

/** Computes the chunk index of a file on a thread of its own. Throws what reading `content` throws. */
export async function computeChunkIndex(
  file: ChunkedFile,
  content: AsyncIterable<Uint8Array>,
): Promise<Chunked> {
  const worker = new Worker(chunkIndexProgram, {
    workerData: file,
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 },
  })
  const send = async (bytes: Uint8Array<SharedArrayBuffer> | undefined): Promise<Chunked | undefined> => {
    const reply = once(worker, 'message')
    worker.postMessage(bytes, [])
    const [received] = (await reply) as [Chunked | undefined]
    return received
  }
  try {
    // The next buffer is filled while the thread reads this one.
    let reading: Promise<Chunked | undefined> | undefined
    for await (const bytes of inSharedMemory(content)) {
      await reading
      reading = send(bytes)
      reading.catch(() => undefined)
    }
    await reading
    const chunked = await send(undefined)
    if (chunked === undefined) throw new Error('the chunk thread returned no index')
    return chunked
  } finally {
    await worker.terminate()
  }
}

/**
 * Yields the content in two buffers that take turns. The garbage collector frees new buffers late: reading 512 MiB with
 * them needs 159 MB of memory, and with these 33 MB, both including the thread (measured).
 */
async function* inSharedMemory(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<SharedArrayBuffer>> {
  const newBuffer = () => new Uint8Array(new SharedArrayBuffer(bufferBytes))
  let [current, spare] = [newBuffer(), newBuffer()]
  let filled = 0
  for await (const bytes of content) {
    for (let taken = 0; taken < bytes.length;) {
      const part = bytes.subarray(taken, taken + bufferBytes - filled)
      current.set(part, filled)
      taken += part.length
      filled += part.length
      if (filled < bufferBytes) continue
      yield current
      ;[current, spare] = [spare, current]
      filled = 0
    }
    freeMemory(bytes)
  }
  if (filled > 0) yield current.subarray(0, filled)
}
