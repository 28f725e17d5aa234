import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { ChunkIndexWriter, chunkSizesFor, readChunkIndex, sumBytes } from '@quayside/sdk/chunk-index'
import { ContentCutter } from '@quayside/sdk/content-cutter'
import { PieceSummer } from '@quayside/sdk/piece-sums'
import { crc32 } from '../src/archive/read-content.ts'
import { createOutput } from '../src/output/output.ts'
import type { FetchedIndex } from '../src/reuse/fetch-index.ts'
import { ReuseError } from '../src/reuse/reuse-context.ts'
import type { RemoteArchive } from '../src/sync/remote-archive.ts'
import { syncFolder } from '../src/sync/sync-folder.ts'
import type { SyncOptions, SyncResult } from '../src/sync/sync-folder.ts'

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Returns the chunk index of bytes, as the server computes it. */
function chunkIndexOf(bytes: Buffer): FetchedIndex {
  const sizes = chunkSizesFor(bytes.length)
  const writer = new ChunkIndexWriter(sizes)
  const cutter = new ContentCutter(sizes, (piece) => writer.add(piece.length, sha256(piece)))
  cutter.push(bytes)
  cutter.end()
  const pieces = new PieceSummer(bytes.length, sizes.averageBits, crc32)
  pieces.push(bytes)
  const index = Buffer.from(writer.finish(sha256(bytes), pieces.finish()))
  const read = readChunkIndex(index)
  const sumsStart = read.pieces?.start ?? 0
  const fetchSums = async (first: number, count: number) =>
    index.subarray(sumsStart + first * sumBytes, sumsStart + (first + count) * sumBytes)
  return { ...read, fetchSums }
}

type Remote = RemoteArchive & { fetchedBytes: number; beforeFetch: () => void }

/** Returns an archive in memory that counts what is fetched. */
export function memoryArchive(bytes: Buffer, isIndexed = true): Remote {
  const remote: Remote = {
    filename: 'Build.zip',
    sizeBytes: bytes.length,
    fetchedBytes: 0,
    beforeFetch: () => {},
    async fetchIndex() {
      if (!isIndexed) throw new ReuseError('The server has no chunk index of it.')
      return chunkIndexOf(bytes)
    },
    async fetch(range, write) {
      for (const piece of range) {
        remote.beforeFetch()
        const part = Buffer.from(bytes.subarray(piece.start, piece.start + piece.sizeBytes))
        if (piece.sha256 !== undefined && sha256(part).toString('hex') !== piece.sha256)
          throw new ReuseError('The file does not match its chunk index.')
        remote.fetchedBytes += part.length
        write(part, piece)
      }
    },
    async findPatch() {
      return undefined
    },
    async download(path) {
      await writeFile(path, bytes)
      return bytes.length
    },
  }
  return remote
}

const sink = { write: () => true }

/** Syncs a folder with an archive. */
export const sync = (
  folder: string,
  archive: Buffer | RemoteArchive,
  options: Partial<SyncOptions> = {},
): Promise<SyncResult> =>
  syncFolder(
    { output: createOutput({ stdout: sink, stderr: sink }, false), signal: new AbortController().signal },
    {
      folder,
      buildId: 'build',
      remote: Buffer.isBuffer(archive) ? memoryArchive(archive) : archive,
      deletesOthers: false,
      ...options,
    },
  )

/** Returns the content of a folder as text that can be compared, without the state. */
export async function treeOf(folder: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {}
  // Without the types, recursive listings follow links.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path)
    if (name.split('/')[0] === '.quayside') continue
    const stats = await lstat(path)
    if (stats.isDirectory()) {
      if ((await readdir(path)).length === 0) tree[`${name}/`] = 'folder'
    } else if (stats.isSymbolicLink()) tree[name] = `link ${await readlink(path)}`
    else
      tree[name] =
        `${(stats.mode & 0o100) === 0 ? '' : 'executable '}${sha256(await readFile(path)).toString('hex')}`
  }
  return tree
}
