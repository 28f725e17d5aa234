import { lstat, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { formatSize } from '../output/format.ts'
import type { Output } from '../output/output.ts'
import { joinPieces } from '../reuse/fetch-chunks.ts'
import { ReuseError } from '../reuse/reuse-context.ts'
import type { Archive, NameRules } from './archive-entry.ts'
import { ChunkedArchive } from './chunked-archive.ts'
import { readDirectory } from './read-directory.ts'
import { openDownloaded } from './remote-archive.ts'
import type { RemoteArchive } from './remote-archive.ts'

export type OpenedArchive = {
  archive: Archive
  /** The archive if its chunks are fetched. */
  chunked: ChunkedArchive | undefined
  receivedBytes: () => number
  close: () => Promise<void>
}

type Opening = { remote: RemoteArchive; path: string; rules: NameRules; output: Output; signal: AbortSignal }

/** Opens an archive by its chunk index. Throws `ReuseError` if it has none. */
export async function openChunked(remote: RemoteArchive, signal: AbortSignal): Promise<OpenedArchive> {
  const archive = new ChunkedArchive(remote, await remote.fetchIndex(), signal)
  return {
    archive,
    chunked: archive,
    receivedBytes: () => archive.receivedBytes,
    close: () => Promise.resolve(),
  }
}

/** Downloads an archive to `path`. Its directory is read before, so that other files are not downloaded for nothing. */
export async function openWhole({ remote, path, rules, output, signal }: Opening): Promise<OpenedArchive> {
  try {
    await readDirectory(openUnverified(remote, signal), rules)
  } catch (error) {
    // A store without ranges.
    if (!(error instanceof ReuseError)) throw error
  }
  await mkdir(dirname(path), { recursive: true })
  const receivedBytes = await remote.download(path)
  const { size } = await lstat(path)
  if (receivedBytes === 0) output.note(`Using the downloaded ${remote.filename} of ${formatSize(size)}.`)
  const archive = await openDownloaded(path, remote.filename)
  return { archive, chunked: undefined, receivedBytes: () => receivedBytes, close: archive.close }
}

/** Returns an archive whose bytes are only looked at. */
export function openUnverified(remote: RemoteArchive, signal: AbortSignal): Archive {
  const { filename, sizeBytes } = remote
  return {
    filename,
    sizeBytes,
    async readAt(start, length) {
      let found: Buffer = Buffer.alloc(0)
      for (const range of joinPieces([{ start, sizeBytes: length }]))
        await remote.fetch(range, (bytes) => void (found = bytes), signal)
      return found
    },
    // eslint-disable-next-line require-yield -- entries are not unpacked
    async *read() {
      throw new Error('the archive was not verified')
    },
  }
}
