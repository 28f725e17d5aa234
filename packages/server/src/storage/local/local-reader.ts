import { open, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../lib/problem.ts'
import { DamagedFile } from '../damaged-file.ts'
import type { ByteRange, SealedObject, Segment } from '../driver.ts'
import type { BufferPool, PooledBuffer } from '../objects/buffer-pool.ts'
import { rangesOf } from '../objects/composition.ts'
import type { LocalLayout } from './local-layout.ts'

/** A range of bytes within one stored file. */
type StoredRange = { key: string; name: string; position: number; sizeBytes: number }

/** A buffer whose first `length` bytes are valid. */
type FilledBuffer = { buffer: PooledBuffer; length: number }

/** Returns the ranges of stored files that make up a range of an object, or an empty list for an empty object. */
export function segmentRanges(object: SealedObject, range?: ByteRange): StoredRange[] {
  const { start, end } = range ?? { start: 0, end: object.sizeBytes - 1 }
  const ranges: StoredRange[] = []
  let offset = 0
  for (const [index, segmentOffset, rangeBytes] of rangesOf(object)) {
    if (offset > end) break
    const skipped = Math.max(start - offset, 0)
    const length = Math.min(end + 1 - offset, rangeBytes) - skipped
    const segment = object.segments[index]
    if (length > 0 && segment !== undefined) {
      const { key = object.key, name } = segment
      ranges.push({ key, name, position: segmentOffset + skipped, sizeBytes: length })
    }
    offset += rangeBytes
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
  const segment = object.segments.find(
    ({ name, key = object.key }) => name === first?.name && key === first.key,
  )
  if (segment !== undefined) await requireSegment(layout, object.key, segment)
}

/** Throws a Problem if the file of a segment is missing or its size has changed. */
export async function requireSegments(layout: LocalLayout, object: SealedObject): Promise<void> {
  for (const segment of object.segments) await requireSegment(layout, object.key, segment)
}

async function requireSegment(layout: LocalLayout, objectKey: string, segment: Segment): Promise<void> {
  const { key = objectKey } = segment
  const path = join(layout.objects(key).folder, segment.name)
  const { size } = await layout.reading(() => stat(path)).catch(throwIfMissing(key, segment.name))
  if (size !== segment.sizeBytes) throw resized(key, segment.name)
}

/**
 * Yields an object or a range of it in order. A buffer is valid until the caller requests the next buffer, which is
 * filled in the meantime unless large buffers are scarce. A buffer contains bytes of several stored files only if the
 * object consists of ranges. Throws if bytes are missing. Always closes the files.
 */
export async function* readObject(
  layout: LocalLayout,
  object: SealedObject,
  range: ByteRange | undefined,
  buffers: BufferPool,
): AsyncGenerator<FilledBuffer, void, undefined> {
  const reader = createReader(layout, segmentRanges(object, range), object.ranges !== undefined)
  const acquired: (PooledBuffer | undefined)[] = []
  let turn = 0
  const nextBuffer = (): PooledBuffer => {
    turn = 1 - turn
    return (acquired[turn] ??= buffers.acquire(reader.totalBytes))
  }
  const releaseSubstitute = (buffer: PooledBuffer): void => {
    if (!buffer.isSubstitute) return
    acquired[acquired.indexOf(buffer)] = undefined
    buffers.release(buffer)
  }
  const read = (): Promise<FilledBuffer> => {
    const buffer = nextBuffer()
    return layout.reading(() => reader.fill(buffer))
  }
  let pendingRead = reader.hasEnded() ? undefined : read()
  try {
    while (pendingRead !== undefined) {
      const filled = await pendingRead
      const isLast = reader.hasEnded()
      pendingRead = isLast || filled.buffer.isSubstitute ? undefined : read()
      // The next iteration awaits this read. Without a handler, an earlier failure would crash the process as an
      // unhandled rejection.
      pendingRead?.catch(() => undefined)
      yield filled
      releaseSubstitute(filled.buffer)
      if (!isLast) pendingRead ??= read()
    }
  } finally {
    // A pending read still needs its buffer and its file.
    await Promise.allSettled([pendingRead])
    await reader.close()
    for (const buffer of acquired) if (buffer !== undefined) buffers.release(buffer)
  }
}

/** Files of a composed object that stay open, because its ranges often alternate between a few files. */
const maxOpenFiles = 8

/** Creates a reader of ranges in their order. If they are `joined`, a buffer can be filled from several of them. */
function createReader(layout: LocalLayout, ranges: readonly StoredRange[], joined: boolean) {
  const files = new Map<string, FileHandle>()
  let index = 0
  let doneBytes = 0

  const openFile = async ({ key, name }: StoredRange): Promise<FileHandle> => {
    const id = `${key}/${name}`
    const open = files.get(id)
    if (open !== undefined) return open
    for (const [oldest, file] of files) {
      if (files.size < (joined ? maxOpenFiles : 1)) break
      files.delete(oldest)
      await file.close()
    }
    const file = await openSegment(layout, key, name).catch(throwIfMissing(key, name))
    files.set(id, file)
    return file
  }
  return {
    totalBytes: ranges.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    hasEnded: () => index >= ranges.length,
    async fill(buffer: PooledBuffer): Promise<FilledBuffer> {
      let length = 0
      while (length < buffer.bytes.length) {
        const range = ranges[index]
        if (range === undefined) break
        const file = await openFile(range)
        const wanted = Math.min(buffer.bytes.length - length, range.sizeBytes - doneBytes)
        const { bytesRead } = await file.read(buffer.bytes, length, wanted, range.position + doneBytes)
        if (bytesRead === 0) throw resized(range.key, range.name)
        length += bytesRead
        doneBytes += bytesRead
        if (doneBytes === range.sizeBytes) {
          index += 1
          doneBytes = 0
        }
        if (!joined) break
      }
      return { buffer, length }
    },
    async close(): Promise<void> {
      for (const file of files.values()) await file.close()
    },
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

const resized = (key: string, partName: string) => new DamagedFile('storage.file_resized', { key, partName })

const throwIfMissing =
  (key: string, partName: string) =>
  (error: unknown): never => {
    if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error
    throw new DamagedFile('storage.file_missing', { key, partName }, error)
  }
