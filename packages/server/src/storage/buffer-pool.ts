export type PooledBuffer = {
  /** Shared, so that the hashing threads can read it without copying. */
  memory: SharedArrayBuffer
  bytes: Uint8Array
  /** Whether the buffer is too small for the transfer because all large buffers were in use. */
  isSubstitute: boolean
}

export type BufferPool = {
  /** Returns a buffer for a transfer that has `sizeBytes` left. */
  acquire: (sizeBytes: number) => PooledBuffer
  release: (buffer: PooledBuffer) => void
}

// A thousand clients that never read their downloads must not need more than 32 MB.
const smallBufferBytes = 32 * 1024

/**
 * Creates a pool of at most `maxLargeBuffers` large buffers, which are allocated on first use and then reused. Large
 * buffers need fewer calls and are faster, but use more memory. When all of them are in use, a transfer gets its own
 * small buffer, which is slower but does not have to wait for another client.
 */
export function createBufferPool({
  largeBufferBytes,
  maxLargeBuffers,
}: {
  largeBufferBytes: number
  maxLargeBuffers: number
}): BufferPool {
  const free: PooledBuffer[] = []
  let allocated = 0
  return {
    acquire(sizeBytes) {
      if (sizeBytes <= smallBufferBytes) return allocate(sizeBytes)
      const buffer = free.pop()
      if (buffer !== undefined) return buffer
      if (allocated >= maxLargeBuffers) return allocate(smallBufferBytes, true)
      allocated += 1
      return allocate(largeBufferBytes)
    },
    release(buffer) {
      if (buffer.memory.byteLength === largeBufferBytes) free.push(buffer)
    },
  }
}

function allocate(sizeBytes: number, isSubstitute = false): PooledBuffer {
  const memory = new SharedArrayBuffer(sizeBytes)
  return { memory, bytes: new Uint8Array(memory), isSubstitute }
}
