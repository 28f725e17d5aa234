import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { cannotRead } from '../files/file-failure.ts'
import { formatSize } from '../output/format.ts'

/** A file to upload. It is opened once, and all bytes are read from `handle`. */
export type LocalFile = {
  /** Absolute path. */
  path: string
  filename: string
  sizeBytes: number
  /** Modification time in nanoseconds. It is a string because it exceeds the safe integer range. */
  mtimeNs: string
  inode: string
  handle: FileHandle
}

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
    const filename = basename(absolute)
    const sizeBytes = Number(stats.size)
    if (!stats.isFile()) {
      throw new Failure('failed', `${path} is not a regular file. Pack folders into an archive first.`)
    }
    if (sizeBytes === 0) throw new Failure('failed', `${path} is empty. Check the step that creates it.`)
    if (sizeBytes > maxFileBytes)
      throw new Failure(
        'failed',
        `${path} exceeds the maximum size of ${formatSize(maxFileBytes)}. Compress it or split it.`,
      )
    if (Buffer.byteLength(filename) > 255)
      throw new Failure('failed', `The file name of ${path} exceeds the limit of 255 bytes. Rename the file.`)
    if (/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(filename))
      throw new Failure('failed', `The file name of ${path} contains control characters. Rename the file.`)
    return {
      path: absolute,
      filename,
      sizeBytes,
      mtimeNs: String(stats.mtimeNs),
      inode: String(stats.ino),
      handle,
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Throws if the file has been changed or replaced since it was opened. */
export async function requireUnchanged(file: LocalFile): Promise<void> {
  const [opened, current] = await Promise.all([
    file.handle.stat({ bigint: true }),
    stat(file.path, { bigint: true }).catch(() => undefined),
  ])
  const isSame =
    Number(opened.size) === file.sizeBytes &&
    String(opened.mtimeNs) === file.mtimeNs &&
    current !== undefined &&
    String(current.ino) === file.inode
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
