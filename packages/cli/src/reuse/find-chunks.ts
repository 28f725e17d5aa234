import { createHash } from 'node:crypto'
import { lstat, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ChunkIndex } from '@quayside/sdk/chunk-index'
import { ContentCutter } from '@quayside/sdk/content-cutter'
import { cannotRead } from '../files/file-failure.ts'
import { listBelow } from '../files/list-below.ts'
import { bufferBytes } from '../transfer/agents.ts'
import { LocalPieces } from './local-pieces.ts'
import type { ReuseContext } from './reuse-context.ts'
import type { LocalSource } from './search-pieces.ts'

/** Where a local file contains a chunk. */
export type ChunkSource = { path: string; start: number }

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** What local files have in common with a file: chunks by their SHA-256, and pieces of the others. */
export type FoundChunks = { found: Map<string, ChunkSource>; pieces: LocalPieces }

/**
 * Cuts a local file, or each file of a folder, into chunks. Returns where those of the index are. The files may change
 * afterward, so the bytes have to be compared again when they are read.
 */
export async function findChunks(
  context: ReuseContext,
  path: string,
  { sizes, chunks }: ChunkIndex,
): Promise<FoundChunks> {
  const wanted = new Set(chunks.map((chunk) => chunk.sha256))
  const found = new Map<string, ChunkSource>()
  const pieces = new LocalPieces()
  const files = await listFiles(path)
  const progress = context.output.progress({
    label: `Searching ${basename(path)}`,
    totalBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    alreadyDoneBytes: 0,
  })
  const buffer = context.agents.buffers.take()
  try {
    for (const file of files) {
      let start = 0
      const source = sourceOf(file)
      const cutter = new ContentCutter(sizes, (piece) => {
        const hash = sha256(piece)
        if (!wanted.has(hash)) pieces.addRegion(source, start, piece.length)
        else if (!found.has(hash)) found.set(hash, { path: file.path, start })
        start += piece.length
      })
      const handle = await open(file.path).catch((error: unknown) => {
        throw cannotRead(file.path, error)
      })
      try {
        for (;;) {
          context.signal.throwIfAborted()
          const { bytesRead } = await handle.read(buffer.bytes, 0, bufferBytes)
          if (bytesRead === 0) break
          cutter.push(buffer.bytes.subarray(0, bytesRead))
          progress.add(bytesRead)
        }
      } finally {
        await handle.close()
      }
      cutter.end()
      if (found.size === wanted.size) break
    }
  } finally {
    progress.end()
    context.agents.buffers.give(buffer)
  }
  return { found, pieces }
}

type LocalFile = { path: string; sizeBytes: number }

function sourceOf({ path, sizeBytes }: LocalFile): LocalSource {
  return {
    path,
    sizeBytes,
    async read(bytes, position) {
      const handle = await open(path)
      try {
        return (await handle.read(bytes, 0, bytes.length, position)).bytesRead
      } finally {
        await handle.close()
      }
    },
  }
}

/** Lists the files at or below a path, the largest first, because it contains most chunks. Links in folders are ignored. */
export async function listFiles(path: string): Promise<LocalFile[]> {
  const stats = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  if (!stats.isDirectory()) return [{ path, sizeBytes: stats.size }]
  const found = await listBelow(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  const files: LocalFile[] = []
  for (const { path: file, isFile } of found)
    if (isFile) files.push({ path: file, sizeBytes: (await lstat(file)).size })
  return files.toSorted((a, b) => b.sizeBytes - a.sizeBytes)
}
