import { bufferBytes } from './agents.ts'
import type { Agents } from './agents.ts'
import type { Hashing } from './hash-worker.ts'
import type { ReadHandle } from './local-file.ts'

export type HashRange = {
  handle: Pick<ReadHandle, 'read'>
  start: number
  sizeBytes: number
  buffers: Agents['buffers']
  signal?: AbortSignal | undefined
  /** Called with the number of bytes read since the previous call. */
  onBytes?: ((bytes: number) => void) | undefined
}

const bufferCount = 2

/**
 * Hashes a range of a file while reading ahead. Resolves with the number of bytes hashed, which is lower than requested
 * if the file ends early.
 */
export async function hashRange(hashing: Hashing, range: HashRange): Promise<number> {
  const { handle, start, sizeBytes, buffers, signal, onBytes } = range
  const slots = Array.from({ length: bufferCount }, () => ({
    buffer: buffers.take(),
    free: Promise.resolve(),
  }))
  let done = 0
  for (let index = 0; done < sizeBytes; index++) {
    signal?.throwIfAborted()
    const slot = slots[index % bufferCount]
    if (!slot) throw new Error('no buffer is available')
    await slot.free
    const length = Math.min(bufferBytes, sizeBytes - done)
    const { bytesRead } = await handle.read(slot.buffer.bytes, 0, length, start + done)
    if (bytesRead === 0) break
    slot.free = hashing.update(slot.buffer.memory, bytesRead)
    slot.free.catch(() => {})
    done += bytesRead
    onBytes?.(bytesRead)
  }
  for (const { buffer, free } of slots) {
    await free
    buffers.give(buffer)
  }
  return done
}
