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

/** Larger transfers use buffers of the pool. */
const maxExactBytes = 32 * 1024

// Each client that does not read its download occupies one buffer: 8 MB and 14 MB with a thousand of them.
const mediumSize = { bufferBytes: 64 * 1024, max: 128, maxFree: 32 }
const smallSize = { bufferBytes: 16 * 1024, max: Infinity, maxFree: 64 }

/**
 * Creates a pool of at most `maxLargeBuffers` large buffers, which are allocated on first use and then reused. Large
 * buffers need fewer calls and are faster, but use more memory. When all of them are in use, a transfer gets a smaller
 * buffer, which is slower but does not have to wait for another client.
 */
export function createBufferPool({
  largeBufferBytes,
  maxLargeBuffers,
}: {
  largeBufferBytes: number
  maxLargeBuffers: number
}): BufferPool {
  const largeSize = { bufferBytes: largeBufferBytes, max: maxLargeBuffers, maxFree: maxLargeBuffers }
  const large = createSizePool(largeSize, { areSubstitutes: false })
  const medium = createSizePool(mediumSize, { areSubstitutes: true })
  const small = createSizePool(smallSize, { areSubstitutes: true })
  const sizes = [large, medium, small]
  return {
    acquire(sizeBytes) {
      if (sizeBytes <= maxExactBytes) return allocate(sizeBytes, false)
      return (sizes.find((size) => size.isAvailable()) ?? small).acquire()
    },
    release: (buffer) => sizes.find((size) => size.owns(buffer))?.release(buffer),
  }
}

/** Creates a pool of at most `max` buffers of one size, of which at most `maxFree` are kept for reuse. */
function createSizePool(
  { bufferBytes, max, maxFree }: { bufferBytes: number; max: number; maxFree: number },
  { areSubstitutes }: { areSubstitutes: boolean },
) {
  const free: PooledBuffer[] = []
  let count = 0
  return {
    isAvailable: () => free.length > 0 || count < max,
    acquire(): PooledBuffer {
      const buffer = free.pop()
      if (buffer !== undefined) return buffer
      count += 1
      return allocate(bufferBytes, areSubstitutes)
    },
    owns: ({ bytes, isSubstitute }: PooledBuffer) =>
      bytes.length === bufferBytes && isSubstitute === areSubstitutes,
    release(buffer: PooledBuffer): void {
      if (free.length < maxFree) free.push(buffer)
      else count -= 1
    },
  }
}

function allocate(sizeBytes: number, isSubstitute: boolean): PooledBuffer {
  const memory = new SharedArrayBuffer(sizeBytes)
  return { memory, bytes: new Uint8Array(memory), isSubstitute }
}
