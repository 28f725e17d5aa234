import { open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Failure } from '../failure.ts'

/** A file to send, opened once: all its bytes come from this handle. */
export type LocalFile = {
  /** Absolute. */
  path: string
  filename: string
  sizeBytes: number
  /** Nanoseconds as text: more than a number holds. */
  mtimeNs: string
  inode: string
  handle: FileHandle
}

const largestFileBytes = 500_000_000_000

/** Opens a file that can be a build: a regular one, not empty, with a name the service takes. */
export async function openLocalFile(path: string, cwd: string): Promise<LocalFile> {
  const absolute = resolve(cwd, path)
  const handle = await open(absolute).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('failed', `${path} cannot be read (${error.code}): check the path.`, { cause: error })
  })
  try {
    const facts = await handle.stat({ bigint: true })
    const filename = basename(absolute)
    const sizeBytes = Number(facts.size)
    if (!facts.isFile()) {
      throw new Failure('failed', `${path} is not a file: pack a folder into an archive first.`)
    }
    if (sizeBytes === 0) throw new Failure('failed', `${path} is empty: check the step that writes it.`)
    if (sizeBytes > largestFileBytes) throw new Failure('failed', `${path} is larger than 500 GB.`)
    if (Buffer.byteLength(filename) > 255) throw new Failure('failed', `The name of ${path} is too long.`)
    return {
      path: absolute,
      filename,
      sizeBytes,
      mtimeNs: String(facts.mtimeNs),
      inode: String(facts.ino),
      handle,
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Throws when the bytes under the path are no longer those that were opened. */
export async function requireUnchanged(file: LocalFile): Promise<void> {
  const [opened, named] = await Promise.all([
    file.handle.stat({ bigint: true }),
    stat(file.path, { bigint: true }).catch(() => undefined),
  ])
  const same =
    Number(opened.size) === file.sizeBytes &&
    String(opened.mtimeNs) === file.mtimeNs &&
    named !== undefined &&
    String(named.ino) === file.inode
  if (!same) throw new FileChanged(file.path)
}

/** The file was written to, replaced or removed during the transfer. */
export class FileChanged extends Failure {
  constructor(path: string) {
    super(
      'failed',
      `${path} changed while it was being uploaded: wait until the step that writes it is done, then run this again.`,
    )
  }
}
