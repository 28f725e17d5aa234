import { open, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../lib/problem.ts'
import { DamagedFile } from '../damaged-file.ts'
import type { ByteRange, SealedObject } from '../driver.ts'
import type { BufferPool, PooledBuffer } from '../objects/buffer-pool.ts'
import type { LocalLayout } from './local-layout.ts'

/** A range of bytes within one segment. */
type SegmentRange = { name: string; position: number; sizeBytes: number }

/** A buffer whose first `length` bytes are valid. */
type FilledBuffer = { buffer: PooledBuffer; length: number }

/** Returns the segment ranges that make up a range of an object, or an empty list for an empty object. */
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

/** Throws a Problem if the file that contains the first byte of the range is missing or its size has changed. */
export async function requireFirstSegment(
  layout: LocalLayout,
  object: SealedObject,
  range: ByteRange | undefined,
): Promise<void> {
  const [first] = segmentRanges(object, range)
  const segment = object.segments.find(({ name }) => name === first?.name)
  if (segment !== undefined) await requireSegment(layout, object.key, segment)
}

/** Throws a Problem if the file of a segment is missing or its size has changed. */
export async function requireSegments(layout: LocalLayout, object: SealedObject): Promise<void> {
  for (const segment of object.segments) await requireSegment(layout, object.key, segment)
}

async function requireSegment(
  layout: LocalLayout,
  key: string,
  segment: SealedObject['segments'][number],
): Promise<void> {
  const path = join(layout.objects(key).folder, segment.name)
  const { size } = await layout.reading(() => stat(path)).catch(throwIfMissing(key, segment))
  if (size !== segment.sizeBytes) throw resized(key, segment)
}

/**
 * Yields an object or a range of it in order. A buffer is valid until the caller requests the next buffer, which is
 * filled in the meantime unless large buffers are scarce. Throws if bytes are missing. Always closes the files.
 */
export async function* readObject(
  layout: LocalLayout,
  object: SealedObject,
  range: ByteRange | undefined,
  buffers: BufferPool,
): AsyncGenerator<FilledBuffer, void, undefined> {
  const ranges = segmentRanges(object, range)
  const totalBytes = ranges.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const acquired: (PooledBuffer | undefined)[] = []
  let turn = 0
  const nextBuffer = (): PooledBuffer => {
    turn = 1 - turn
    return (acquired[turn] ??= buffers.acquire(totalBytes))
  }
  const releaseSubstitute = (buffer: PooledBuffer): void => {
    if (!buffer.isSubstitute) return
    acquired[acquired.indexOf(buffer)] = undefined
    buffers.release(buffer)
  }
  try {
    for (const segment of ranges) {
      const file = await layout
        .reading(() => openSegment(layout, object.key, segment.name))
        .catch(throwIfMissing(object.key, segment))
      const read = (offset: number) => {
        const buffer = nextBuffer()
        return layout.reading(async () => {
          const filled = await readSegment(file, buffer, segment, offset)
          if (filled.length === 0) throw resized(object.key, segment)
          return filled
        })
      }
      let pendingRead = read(0)
      try {
        for (let readBytes = 0; readBytes < segment.sizeBytes;) {
          const filled = await pendingRead
          const { buffer } = filled
          readBytes += filled.length
          const isLast = readBytes >= segment.sizeBytes
          if (!isLast && !buffer.isSubstitute) {
            pendingRead = read(readBytes)
            // The next iteration awaits this read. Without a handler, an earlier failure would crash the process as an
            // unhandled rejection.
            pendingRead.catch(() => undefined)
          }
          yield filled
          releaseSubstitute(buffer)
          if (!isLast && buffer.isSubstitute) pendingRead = read(readBytes)
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

/** Opens a part of a sealed object, or of a staged upload that is verified before it is sealed. */
async function openSegment(layout: LocalLayout, key: string, name: string): Promise<FileHandle> {
  const sealed = join(layout.objects(key).folder, name)
  try {
    return await open(sealed, 'r')
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
  try {
    return await open(join(layout.staging(key).folder, name), 'r')
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error
  }
  // A concurrent `seal` may have moved the folder in the meantime.
  return open(sealed, 'r')
}

async function readSegment(
  file: FileHandle,
  buffer: PooledBuffer,
  segment: SegmentRange,
  offset: number,
): Promise<FilledBuffer> {
  const length = Math.min(buffer.bytes.length, segment.sizeBytes - offset)
  const { bytesRead } = await file.read(buffer.bytes, 0, length, segment.position + offset)
  return { buffer, length: bytesRead }
}

const resized = (key: string, { name: partName }: { name: string }) =>
  new DamagedFile('storage.file_resized', { key, partName })

const throwIfMissing =
  (key: string, { name: partName }: { name: string }) =>
  (error: unknown): never => {
    if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error
    throw new DamagedFile('storage.file_missing', { key, partName }, error)
  }
