import { open, type FileHandle } from 'node:fs/promises'
import type { Limit } from '../../lib/concurrency.ts'
import { problem } from '../../lib/problem.ts'
import type { PooledBuffer, BufferPool } from './buffer-pool.ts'
import type { FreeSpace } from './free-space.ts'
import type { Digests, HashPool, Hashing } from './hashing.ts'

export type PartWriter = {
  /**
   * Streams a body of exactly `sizeBytes` bytes into a new file at `path`. The file is durable when the promise
   * resolves. Throws `bad_request` if the body is too short, `too_large` as soon as it is too long, or `out_of_space`.
   * The caller must delete the file after an error.
   */
  write(path: string, sizeBytes: number, body: AsyncIterable<Uint8Array>): Promise<Digests>
}

/** Limits the memory that a transfer uses: one buffer is filled while three are being written and hashed. */
const buffersPerTransfer = 4
/** Without regular flushes, a large file would reach the disk only in the final fsync, while the client waits. */
const flushEveryBytes = 64 * 1024 * 1024

export function createPartWriter(deps: {
  buffers: BufferPool
  hashes: HashPool
  space: FreeSpace
  /** Limits the calls that wait for the disk. */
  writing: Limit
}): PartWriter {
  const { writing } = deps
  let isFlushing = false

  return {
    async write(path, sizeBytes, body) {
      const claim = await deps.space.claim(sizeBytes)
      const hashing = deps.hashes.start(sizeBytes)
      let pipeline: Pipeline | undefined
      try {
        const file = await writing(() => open(path, 'wx', 0o600))
        pipeline = startPipeline(
          { file, hashing, writing },
          {
            acquire: () => deps.buffers.acquire(sizeBytes),
            release: deps.buffers.release,
          },
        )
        let receivedBytes = 0
        let flushedBytes = 0
        for await (const chunk of body) {
          receivedBytes += chunk.length
          if (receivedBytes > sizeBytes) throw tooLong({ sizeBytes })
          await claim.extend(chunk.length)
          await pipeline.push(chunk)
          if (receivedBytes - flushedBytes >= flushEveryBytes && !isFlushing) {
            flushedBytes = receivedBytes
            isFlushing = true
            void pipeline.start(writing(() => file.datasync()).finally(() => (isFlushing = false)))
          }
        }
        if (receivedBytes < sizeBytes) throw tooShort({ sizeBytes, receivedBytes })
        await pipeline.finish()
        await writing(() => file.sync())
        return await hashing.digest()
      } catch (error) {
        hashing.abort()
        throw error
      } finally {
        claim.release()
        await pipeline?.close()
      }
    },
  }
}

type Pipeline = ReturnType<typeof startPipeline>

/** Starts a pipeline that copies a stream into buffers, and writes and hashes each buffer concurrently. */
function startPipeline(
  { file, hashing, writing }: { file: FileHandle; hashing: Hashing; writing: Limit },
  buffers: { acquire: () => PooledBuffer; release: (buffer: PooledBuffer) => void },
) {
  const idle: PooledBuffer[] = []
  const tasks = trackTasks()
  const acquired: PooledBuffer[] = []
  let current: PooledBuffer | undefined
  let usedBytes = 0
  let position = 0

  const store = (buffer: PooledBuffer, length: number): void => {
    const work = [
      writing(writeAll(file, buffer.bytes.subarray(0, length), position)),
      hashing.update(buffer.memory, length),
    ]
    position += length
    void tasks.start(Promise.allSettled(work).then(() => Promise.all(work))).then(() => idle.push(buffer))
  }

  const nextBuffer = async (): Promise<PooledBuffer> => {
    while (idle.length === 0 && acquired.length >= buffersPerTransfer) await tasks.next()
    tasks.requireSuccess()
    const free = idle.pop()
    if (free !== undefined) return free
    const buffer = buffers.acquire()
    acquired.push(buffer)
    return buffer
  }

  return {
    start: tasks.start,
    async push(chunk: Uint8Array): Promise<void> {
      for (let offset = 0; offset < chunk.length;) {
        current ??= await nextBuffer()
        const length = Math.min(current.bytes.length - usedBytes, chunk.length - offset)
        current.bytes.set(chunk.subarray(offset, offset + length), usedBytes)
        usedBytes += length
        offset += length
        if (usedBytes === current.bytes.length) {
          store(current, usedBytes)
          current = undefined
          usedBytes = 0
        }
      }
    },
    async finish(): Promise<void> {
      if (current !== undefined) store(current, usedBytes)
      await tasks.finish()
      tasks.requireSuccess()
    },
    /** Waits for all pending work before releasing the buffers, because the work may still use them. */
    async close(): Promise<void> {
      await tasks.finish()
      for (const buffer of acquired) buffers.release(buffer)
      await file.close()
    },
  }
}

/** Tracks tasks that run concurrently, and their failures. */
function trackTasks() {
  const pending = new Set<Promise<void>>()
  const failures: unknown[] = []
  return {
    start(work: Promise<unknown>): Promise<void> {
      const settled: Promise<void> = work
        .catch((error: unknown) => failures.push(error))
        .then(() => void pending.delete(settled))
      pending.add(settled)
      return settled
    },
    /** Waits for the end of any pending task. */
    next: () => Promise.race(pending),
    /** Waits for the end of all pending tasks. */
    finish: () => Promise.all(pending),
    /** Throws the error of the first task that has failed. */
    requireSuccess(): void {
      if (failures.length > 0) throw failures[0]
    },
  }
}

const writeAll = (file: FileHandle, bytes: Uint8Array, position: number) => async (): Promise<void> => {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written)
    written += bytesWritten
  }
}

/** The error for a body that ends early. */
export const tooShort = problem(
  'bad_request',
  'storage.too_short',
  'Expected {sizeBytes} bytes, but the body ended after {receivedBytes}. Send it again.',
)

/** The error for a body that has more bytes than requested. */
export const tooLong = problem(
  'too_large',
  'storage.too_long',
  'Expected {sizeBytes} bytes, but the body is longer. If the file has changed, request a new upload.',
)
