import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { cannotRead } from '../files/file-failure.ts'
import { formatSize } from '../output/format.ts'

/** What is read when bytes are hashed or sent: an open file, or an archive that is created while it is read. */
export type ReadHandle = {
  read(bytes: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  close(): Promise<void>
}

/** A file to upload. It is opened once, and all bytes are read from `handle`. */
export type LocalFile = {
  /** Absolute path. */
  path: string
  filename: string
  /** Folder in which the Git repository of the file is looked for. */
  folder: string
  sizeBytes: number
  /** Differs after a change of the content: the modification time in nanoseconds, or a hash of several. */
  revision: string
  handle: ReadHandle
  /** Throws if a range, or by default any part, has been changed or replaced since the file was opened. */
  requireUnchanged(range?: ByteRange): Promise<void>
  /** Returns the number of files of an archive that end in a range. */
  countFiles?: (range: ByteRange) => number
}

export type ByteRange = { start: number; sizeBytes: number }

const maxFileBytes = 500_000_000_000

/** Opens a file. Throws if it is not a regular file or if the API would reject its size or name. */
export async function openLocalFile(path: string, cwd: string): Promise<LocalFile> {
  const absolute = resolve(cwd, path)
  const fail = (error: NodeJS.ErrnoException) => {
    throw cannotRead(path, error)
  }
  // Opening a FIFO blocks until another process writes to it, so the type is checked first.
  if (!(await stat(absolute).catch(fail)).isFile()) {
    throw new Failure('failed', `${path} is not a regular file. Pack folders into an archive first.`)
  }
  const handle = await open(absolute).catch(fail)
  try {
    const stats = await handle.stat({ bigint: true })
    const sizeBytes = Number(stats.size)
    if (!stats.isFile()) {
      throw new Failure('failed', `${path} is not a regular file. Pack folders into an archive first.`)
    }
    if (sizeBytes === 0) throw new Failure('failed', `${path} is empty. Check the step that creates it.`)
    const opened = { path: absolute, sizeBytes, revision: String(stats.mtimeNs) }
    return {
      ...opened,
      filename: uploadName(path, absolute, sizeBytes),
      folder: dirname(absolute),
      handle,
      requireUnchanged: () => requireUnchanged(handle, { ...opened, inode: stats.ino }),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Returns the name under which a file is uploaded. Throws if the API would reject its size or the name. */
export function uploadName(path: string, name: string, sizeBytes: number): string {
  const filename = basename(name)
  if (sizeBytes > maxFileBytes)
    throw new Failure(
      'failed',
      `${path} exceeds the maximum size of ${formatSize(maxFileBytes)}. Compress it or split it.`,
    )
  if (Buffer.byteLength(filename) > 255)
    throw new Failure('failed', `The file name of ${path} exceeds the limit of 255 bytes. Rename the file.`)
  if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(filename))
    throw new Failure('failed', `The file name of ${path} contains control characters. Rename the file.`)
  return filename
}

async function requireUnchanged(
  handle: FileHandle,
  file: Pick<LocalFile, 'path' | 'sizeBytes' | 'revision'> & { inode: bigint },
): Promise<void> {
  const [opened, current] = await Promise.all([
    handle.stat({ bigint: true }),
    stat(file.path, { bigint: true }).catch(() => undefined),
  ])
  const isSame =
    Number(opened.size) === file.sizeBytes &&
    String(opened.mtimeNs) === file.revision &&
    current?.ino === file.inode
  if (!isSame) throw new FileChangedError(file.path, current === undefined ? 'was deleted' : 'changed')
}

/** Thrown if a file is changed, replaced or removed during the upload. */
export class FileChangedError extends Failure {
  constructor(path: string, change: 'changed' | 'was deleted' = 'changed') {
    super(
      'failed',
      `${path} ${change} while it was being uploaded. Wait until the step that creates it has finished, then rerun this command.`,
    )
  }
}
