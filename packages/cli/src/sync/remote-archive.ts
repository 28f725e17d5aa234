import { open } from 'node:fs/promises'
import type { RemotePiece, RemoteRange } from '../reuse/fetch-chunks.ts'
import type { FetchedIndex } from '../reuse/fetch-index.ts'
import type { Archive } from './archive-entry.ts'

type FetchRange = (
  range: RemoteRange,
  write: (bytes: Buffer, piece: RemotePiece) => void,
  signal: AbortSignal,
) => Promise<void>

/** A patch from an earlier archive in its store. */
export type RemotePatch = { sizeBytes: number; fetch: FetchRange }

/** The primary file of a build in its store. */
export type RemoteArchive = {
  filename: string
  sizeBytes: number
  /** Returns the chunk index. Throws `ReuseError` if there is none. */
  fetchIndex: () => Promise<FetchedIndex>
  /** Fetches the pieces of a range, and verifies those with a checksum. Throws `ReuseError` if one does not match. */
  fetch: FetchRange
  /** Looks for a patch from the archive with a SHA-256. */
  findPatch: (fromSha256: string) => Promise<RemotePatch | undefined>
  /** Downloads the whole file to a path and verifies its checksum. Returns the number of bytes received. */
  download: (path: string) => Promise<number>
}

const readBytes = 1024 * 1024

/** Opens a downloaded archive. */
export async function openDownloaded(
  path: string,
  filename: string,
): Promise<Archive & { close: () => Promise<void> }> {
  const handle = await open(path)
  const { size } = await handle.stat()
  const readAt = async (start: number, sizeBytes: number): Promise<Buffer> => {
    const bytes = Buffer.allocUnsafe(sizeBytes)
    const { bytesRead } = await handle.read(bytes, 0, sizeBytes, start)
    return bytes.subarray(0, bytesRead)
  }
  return {
    filename,
    sizeBytes: size,
    readAt,
    async *read(start, end) {
      for (let position = start; position < end;) {
        const bytes = await readAt(position, Math.min(readBytes, end - position))
        if (bytes.length === 0) throw new Error(`${path} ends early`)
        position += bytes.length
        yield bytes
      }
    },
    close: () => handle.close(),
  }
}
