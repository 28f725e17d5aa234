import type { BigIntStats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import zlib from 'node:zlib'
import { crc32ByTable, pieceDeflater, readContent as readSource } from '@quayside/sdk/archive-content'
import type { Content, ReadContent } from '@quayside/sdk/archive-content'
import { Deflate } from 'pako'
import { cannotRead } from '../files/file-failure.ts'
import { FileChangedError } from '../transfer/local-file.ts'
import { hasSameAttributes } from './list-entries.ts'
import type { FolderEntry } from './list-entries.ts'

/** Deflates a piece of a file, with bytes that do not depend on the version of Node, unlike those of node:zlib. */
export const deflatePiece: (bytes: Uint8Array) => Uint8Array<ArrayBuffer> = pieceDeflater(Deflate)

// Node has this function since 20.15.
export const crc32: (bytes: Uint8Array, value?: number) => number =
  typeof zlib.crc32 === 'function' ? zlib.crc32 : crc32ByTable

/** Reads a file once, to find out how it is stored in an archive. Throws if it changes during this time. */
export const readContent = (entry: FolderEntry, options: ReadContent): Promise<Content> =>
  withOpenFile(entry, (handle) =>
    readSource(
      {
        sizeBytes: entry.sizeBytes,
        read: (bytes, position) => readExactly(handle, entry, bytes, position),
      },
      { deflatePiece, crc32 },
      options,
    ),
  )

/** Reads a range of a file. Throws if the file no longer has the listed attributes. */
export async function readRange(entry: FolderEntry, bytes: Buffer, position: number): Promise<void> {
  await withOpenFile(entry, (handle) => readExactly(handle, entry, bytes, position))
}

/** Runs `work` with an open file. The attributes are compared afterward, so that they apply to the bytes that were read. */
async function withOpenFile<Result>(
  entry: FolderEntry,
  work: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const handle = await open(entry.path).catch((error: unknown) => {
    throw cannotRead(entry.path, error)
  })
  try {
    const result = await work(handle)
    const stats: BigIntStats = await handle.stat({ bigint: true })
    if (!hasSameAttributes(entry, stats)) throw new FileChangedError(entry.path)
    return result
  } finally {
    await handle.close()
  }
}

async function readExactly(
  handle: FileHandle,
  { path }: FolderEntry,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, position + done)
    if (bytesRead === 0) throw new FileChangedError(path)
    done += bytesRead
  }
}
