import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { BufferPool, PooledBuffer } from './buffer-pool.ts'
import type { ByteRange, SealedObject } from './driver.ts'
import type { LocalLayout } from './local-layout.ts'

/** A range of bytes within one segment. */
type SegmentRange = { name: string; position: number; sizeBytes: number }

/** A buffer whose first `length` bytes are valid. */
type FilledBuffer = PooledBuffer & { length: number }

/** Returns the segment ranges that make up a range of an object; none for an empty object. */
export function segmentRanges({ segments, sizeBytes }: SealedObject, range?: ByteRange): SegmentRange[] {
  const { start, end } = range ?? { start: 0, end: sizeBytes - 1 }
  const ranges: SegmentRange[] = []
  let offset = 0
  for (const segment of segments) {
    const position = Math.max(start - offset, 0)
    const length = Math.min(end + 1 - offset, segment.sizeBytes) - position
    if (length > 0) ranges.push({ name: segment.name, position, sizeBytes: length })
    offset += segment.sizeBytes
  }
  return ranges
}

/**
 * Yields an object or a range of it in order. A buffer is valid until the next is requested; the next is filled while
 * the caller sends this one. Throws if bytes are missing; files are always closed.
 */
export async function* readObject(
  layout: LocalLayout,
  object: SealedObject,
  range: ByteRange | undefined,
  buffers: BufferPool,
): AsyncGenerator<FilledBuffer, void, undefined> {
  const { folder } = layout.objects(object.key)
  const ranges = segmentRanges(object, range)
  const totalBytes = ranges.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const acquired: PooledBuffer[] = []
  let turn = 0
  const nextBuffer = (): PooledBuffer => {
    turn = 1 - turn
    return (acquired[turn] ??= buffers.acquire(totalBytes))
  }
  try {
    for (const segment of ranges) {
      const file = await open(join(folder, segment.name), 'r')
      let pendingRead = read(file, nextBuffer(), segment, 0)
      try {
        for (let readBytes = 0; readBytes < segment.sizeBytes;) {
          const buffer = await pendingRead
          readBytes += buffer.length
          if (readBytes < segment.sizeBytes) {
            pendingRead = read(file, nextBuffer(), segment, readBytes)
            // The next iteration awaits the read; without a handler, an earlier failure would crash the process.
            pendingRead.catch(() => undefined)
          }
          yield buffer
        }
      } finally {
        // A pending read still needs its buffer and its file.
        await Promise.allSettled([pendingRead])
        await file.close()
      }
    }
  } finally {
    for (const buffer of acquired) if (buffer !== undefined) buffers.release(buffer)
  }
}

async function read(
  file: FileHandle,
  buffer: PooledBuffer,
  segment: SegmentRange,
  offset: number,
): Promise<FilledBuffer> {
  const length = Math.min(buffer.bytes.length, segment.sizeBytes - offset)
  const { bytesRead } = await file.read(buffer.bytes, 0, length, segment.position + offset)
  if (bytesRead === 0) throw new Error(`stored file ${segment.name} is shorter than when it was sealed`)
  return { ...buffer, length: bytesRead }
}
