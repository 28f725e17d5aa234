import { createHash } from 'node:crypto'
import { minIndexedBytes } from '@quayside/sdk/chunk-index'
import type { ChunkIndex } from '@quayside/sdk/chunk-index'
import { CompositionPlanner } from '@quayside/sdk/composition'
import type { ComposedRange } from '@quayside/sdk/composition'
import { ContentCutter } from '@quayside/sdk/content-cutter'
import { fetchChunkIndex, requestIndexUrl } from '../reuse/fetch-index.ts'
import type { FetchedIndex } from '../reuse/fetch-index.ts'
import { ReuseError } from '../reuse/reuse-context.ts'
import { bufferBytes } from '../transfer/agents.ts'
import { FileChangedError } from '../transfer/local-file.ts'
import type { LocalFile } from '../transfer/local-file.ts'
import type { UploadBody, UploadContext } from '../transfer/upload-context.ts'
import type { FileRole } from '../transfer/upload-state.ts'
import { findPieces } from './find-pieces.ts'

/** Which ranges of a file the server has, and the SHA-256 of the file. */
export type PlannedComposition = {
  checksumSha256: string
  ranges: ComposedRange[]
  /** Whether ranges come from pieces, whose short checksums can match by chance. */
  hasPieces: boolean
}

/** What is looked for in other builds. */
export type Reuse = 'pieces' | 'chunks'

/** A file of a build on the server. */
export type Source = { fileId: string; index: FetchedIndex }

/** Sources in other streams help the first build of a branch. */
const maxSources = 2
const buildsPerList = 5

/**
 * Compares a file with those of the newest builds that have a chunk index. Returns undefined if the server has none of its
 * bytes.
 */
export async function planComposition(
  context: UploadContext,
  body: UploadBody,
  { role, file, reuse }: { role: FileRole; file: LocalFile; reuse: Reuse },
): Promise<PlannedComposition | undefined> {
  if (file.sizeBytes < minIndexedBytes) return undefined
  const sources = await findSources(context, body, role)
  const [first] = sources
  if (first === undefined) return undefined
  const planner = new CompositionPlanner(sources)
  const checksumSha256 = await cutFile(context, file, first.index, planner)
  if (!planner.hasFound()) return undefined
  const hasPieces = reuse === 'pieces' && (await findPieces(context, file, sources, planner))
  const ranges = planner.finish()
  const isReused = ranges.some(({ file_id }) => file_id !== undefined)
  return isReused ? { checksumSha256, ranges, hasPieces } : undefined
}

/** Returns files of the newest builds of the same stream and platform, then of all streams, that have an index. */
async function findSources(context: UploadContext, body: UploadBody, role: FileRole): Promise<Source[]> {
  const { client, signal } = context
  const { application_id = '', stream, platform } = body
  const query = {
    application_id,
    platforms: platform,
    sort_by: 'created_at',
    sort: 'desc',
    per_page: buildsPerList,
  } as const
  const sources: Source[] = []
  const seen = new Set<string>()
  for (const streams of [{ streams: stream.replaceAll(',', String.raw`\,`) }, {}]) {
    const { data } = await client.listBuilds({ ...query, ...streams }, { signal })
    for (const { id } of data) {
      if (seen.has(id)) continue
      seen.add(id)
      const source = await findSource(context, application_id, id, role)
      const sizes = sources[0]?.index.sizes
      if (
        source === undefined ||
        source.index.sizes.averageBits !== (sizes ?? source.index.sizes).averageBits
      )
        continue
      sources.push(source)
      break
    }
    if (sources.length === maxSources) break
  }
  return sources
}

async function findSource(
  { client, agents, signal }: UploadContext,
  application_id: string,
  build_id: string,
  role: FileRole,
): Promise<Source | undefined> {
  const { data: build } = await client.getBuild({ application_id, build_id }, { signal })
  const file = role === 'primary' ? build.primary_file : build.expansion_files[0]
  if (file === undefined || file.size_bytes < minIndexedBytes) return undefined
  const { id: file_id, size_bytes: sizeBytes } = file
  try {
    const url = await requestIndexUrl({ client, signal }, { application_id, build_id, file_id })
    return { fileId: file_id, index: await fetchChunkIndex({ agents, signal }, url, sizeBytes) }
  } catch (error) {
    if (error instanceof ReuseError) return undefined
    throw error
  }
}

/** Cuts a file as an index was cut. Returns the SHA-256 of the file, which is computed at the same time. */
async function cutFile(
  { output, agents, signal }: UploadContext,
  file: LocalFile,
  { sizes }: ChunkIndex,
  planner: CompositionPlanner,
): Promise<string> {
  const { sizeBytes } = file
  const progress = output.progress({
    label: `Comparing ${file.filename}`,
    totalBytes: sizeBytes,
    alreadyDoneBytes: 0,
  })
  const cutter = new ContentCutter(sizes, (piece) =>
    planner.add(piece.length, createHash('sha256').update(piece).digest('hex')),
  )
  const hashing = agents.hashes.start('sha256', sizeBytes)
  const buffers = [agents.buffers.take(), agents.buffers.take()].map((buffer) => ({
    buffer,
    free: Promise.resolve(),
  }))
  try {
    for (let [start, turn] = [0, 0]; start < sizeBytes; turn = 1 - turn) {
      signal.throwIfAborted()
      const slot = buffers[turn]
      if (slot === undefined) throw new Error('no buffer is available')
      await slot.free
      const length = Math.min(bufferBytes, sizeBytes - start)
      const { bytesRead } = await file.handle.read(slot.buffer.bytes, 0, length, start)
      if (bytesRead === 0) throw new FileChangedError(file.path)
      slot.free = hashing.update(slot.buffer.memory, bytesRead)
      slot.free.catch(() => {})
      cutter.push(slot.buffer.bytes.subarray(0, bytesRead))
      start += bytesRead
      progress.add(bytesRead)
    }
    cutter.end()
    for (const { free } of buffers) await free
    return await hashing.digest()
  } finally {
    for (const { buffer } of buffers) agents.buffers.give(buffer)
    progress.end()
  }
}
