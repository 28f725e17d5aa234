import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { localHeader } from '@quayside/sdk/zip-records'
import type { Output } from '../output/output.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import type { ChunkedArchive } from './chunked-archive.ts'
import type { Comparison, NeededEntry } from './compare-folder.ts'
import { ChunkFiller } from './fill-chunk.ts'
import type { LocalItem } from './list-folder.ts'
import { LocalChunks } from './local-chunks.ts'
import type { ChunkFile } from './local-chunks.ts'
import type { Placer } from './placer.ts'

type Planning = {
  folder: string
  entries: readonly ArchiveEntry[]
  comparison: Comparison
  /** Files that an interrupted run left in the staging area. */
  leftovers: readonly LocalItem[]
  placer: Placer
  output: Output
  signal: AbortSignal
}

/**
 * Searches the files that will be replaced or removed for chunks of new entries. Returns a function that tells whether a
 * local file has no more chunks to read.
 */
export async function planChunks(
  archive: ChunkedArchive,
  files: readonly NeededEntry[],
  { folder, entries, comparison, leftovers, placer, output, signal }: Planning,
): Promise<(path: string) => boolean> {
  const content = files.map(({ entry }) => entry).filter(({ sizeBytes }) => sizeBytes > 0)
  const needed = archive.chunksOf(content)
  const local = new LocalChunks(archive.index, needed)
  const isOwn = entries.some(({ zip, isDeflated }) => isDeflated && zip !== undefined)
  const scans: (ChunkFile & { sizeBytes: number; deflates: boolean })[] = []
  for (const { entry, replaces } of files)
    if (replaces?.kind === 'file')
      scans.push({
        path: join(folder, replaces.path),
        sizeBytes: Number(replaces.stats.size),
        deflates: entry.isDeflated && isOwn,
        skipBytes: contentBeforeChunk(archive, entry),
      })
  for (const { path, kind, stats } of [...comparison.removed, ...leftovers].filter(
    (item) => !placer.isGone(item),
  ))
    if (kind === 'file')
      scans.push({ path: join(folder, path), sizeBytes: Number(stats.size), deflates: isOwn, skipBytes: 0 })
  if (needed.length > 0 && scans.length > 0) {
    const progress = output.progress({
      label: 'Searching',
      totalBytes: scans.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      alreadyDoneBytes: 0,
    })
    const onBytes = (bytes: number) => progress.add(bytes)
    for (const scan of scans) await local.scan(scan, { deflates: scan.deflates, signal, onBytes })
    progress.end()
    await local.findPieces(signal)
  }
  for (const item of leftovers) {
    const path = join(folder, item.path)
    if (item.kind !== 'folder' && !placer.isGone(item) && local.isFree(path)) await rm(path, { force: true })
  }
  const unchanged = new Map(
    [...comparison.unchanged].map(([entry, item]) => [entry, join(folder, item.path)]),
  )
  archive.plan(needed, local, unchanged.size > 0 ? new ChunkFiller(entries, unchanged) : undefined)
  return (path) => local.isFree(path)
}

/** Returns the number of bytes of an entry before its first chunk that does not contain its header. */
function contentBeforeChunk(archive: ChunkedArchive, entry: ArchiveEntry): number {
  if (entry.zip === undefined) return 0
  const start = entry.start + localHeader(entry.zip).length
  const [, second] = archive.chunksOf([{ start, end: entry.end }])
  return second === undefined ? 0 : second.start - start
}
