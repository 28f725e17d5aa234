import { open, type FileHandle } from 'node:fs/promises'
import { Problem } from '../lib/problem.ts'
import type { FreeSpace } from './free-space.ts'
import type { Digests, HashPool, Hashing } from './hashing.ts'
import type { Slab, SlabPool } from './slabs.ts'

export type PartWriter = {
  /**
   * Streams a body of exactly `sizeBytes` bytes into a new file at `path`; durable when it resolves. Throws
   * `bad_request` when the body ends early, `too_large` as soon as it goes on, `out_of_space`; the file is then the
   * caller's to delete.
   */
  write(path: string, sizeBytes: number, body: AsyncIterable<Uint8Array>): Promise<Digests>
}

/** One slab being filled, three being written and hashed: bounds the memory of a transfer. */
const slabsPerTransfer = 4
/** Without it all of a large file reaches the disk in the last fsync, while the client waits. */
const flushEveryBytes = 64 * 1024 * 1024

export function createPartWriter(parts: { slabs: SlabPool; hashes: HashPool; space: FreeSpace }): PartWriter {
  let flushing = false

  return {
    async write(path, sizeBytes, body) {
      const claim = await parts.space.claim(sizeBytes)
      const hashing = parts.hashes.start(sizeBytes)
      let pipeline: Pipeline | undefined
      try {
        const file = await open(path, 'wx', 0o600)
        pipeline = startPipeline(file, hashing, {
          take: () => parts.slabs.take(sizeBytes),
          give: parts.slabs.give,
        })
        let receivedBytes = 0
        let flushedBytes = 0
        for await (const chunk of body) {
          receivedBytes += chunk.length
          if (receivedBytes > sizeBytes) throw tooLong(sizeBytes)
          await pipeline.push(chunk)
          claim.wrote(chunk.length)
          if (receivedBytes - flushedBytes >= flushEveryBytes && !flushing) {
            flushedBytes = receivedBytes
            flushing = true
            void pipeline.start(
              Promise.all([claim.recheck(), file.datasync()]).finally(() => (flushing = false)),
            )
          }
        }
        if (receivedBytes < sizeBytes) throw tooShort(sizeBytes, receivedBytes)
        await pipeline.finish()
        await file.sync()
        return await hashing.digest()
      } catch (error) {
        hashing.forget()
        throw error
      } finally {
        claim.release()
        await pipeline?.close()
      }
    },
  }
}

type Pipeline = ReturnType<typeof startPipeline>

/** Cuts a stream into slabs and writes and hashes each at the same time. */
function startPipeline(
  file: FileHandle,
  hashing: Hashing,
  slabs: { take: () => Slab; give: (slab: Slab) => void },
) {
  const idle: Slab[] = []
  const running = new Set<Promise<void>>()
  const taken: Slab[] = []
  let current: Slab | undefined
  let usedBytes = 0
  let position = 0
  const failures: unknown[] = []

  const start = (work: Promise<unknown>): Promise<void> => {
    const settled: Promise<void> = work
      .catch((error: unknown) => failures.push(error))
      .then(() => void running.delete(settled))
    running.add(settled)
    return settled
  }

  const store = (slab: Slab, length: number): void => {
    const work = [
      writeAll(file, slab.bytes.subarray(0, length), position),
      hashing.update(slab.memory, length),
    ]
    position += length
    void start(Promise.allSettled(work).then(() => Promise.all(work))).then(() => idle.push(slab))
  }

  const nextSlab = async (): Promise<Slab> => {
    while (idle.length === 0 && taken.length >= slabsPerTransfer) await Promise.race(running)
    if (failures.length > 0) throw failures[0]
    const free = idle.pop()
    if (free !== undefined) return free
    const slab = slabs.take()
    taken.push(slab)
    return slab
  }

  return {
    start,
    async push(chunk: Uint8Array): Promise<void> {
      for (let offset = 0; offset < chunk.length;) {
        current ??= await nextSlab()
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
      await Promise.all(running)
      if (failures.length > 0) throw failures[0]
    },
    /** Nothing may touch a slab any more when it goes back to the pool. */
    async close(): Promise<void> {
      await Promise.all(running)
      for (const slab of taken) slabs.give(slab)
      await file.close()
    },
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

const tooShort = (sizeBytes: number, receivedBytes: number): Problem =>
  new Problem(
    'bad_request',
    'storage.too_short',
    `Expected ${sizeBytes} bytes, the body ended after ${receivedBytes}.`,
  )

const tooLong = (sizeBytes: number): Problem =>
  new Problem('too_large', 'storage.too_long', `Expected ${sizeBytes} bytes, the body has more.`)
