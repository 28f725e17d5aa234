import { InvalidChunkIndex, readChunkIndex, type ChunkIndex } from '@quayside/sdk/chunk-index'
import { InspectionError, type ByteSource } from '../inspection.ts'
import { maxRequestBytes, openParent } from '../parent-source.ts'
import { restrictProcess } from '../restrict-process.ts'
import { compareEntries } from './compare-entries.ts'
import type { ComparisonResult } from './comparison-schema.ts'
import { emptyEntries } from './entry-list.ts'
import { readEntries, unreadableCodeOf } from './read-entries.ts'
import type { ComparisonTask } from './run-comparison.ts'

// Compares two files in a sandboxed process. run-comparison.ts starts the process and sends it the bytes that it requests.

type Entries = Pick<ComparisonResult, 'unreadable' | 'totals' | 'total' | 'entries'>

restrictProcess()
const parent = openParent()
const { task: received, sources } = parent.receiveTask()
const task = received as ComparisonTask
const sourceAt = (index: number | null): ByteSource | undefined =>
  index === null ? undefined : sources[index]
const sharedBytes = await findSharedBytes(sourceAt(task.beforeIndex), sourceAt(task.afterIndex))
const entries = await compareFiles(sourceAt(task.before), sourceAt(task.after))
parent.send({ comparison: { ...entries, shared_bytes: sharedBytes } satisfies ComparisonResult })

async function compareFiles(before?: ByteSource, after?: ByteSource): Promise<Entries> {
  let build: 'before' | 'after' = 'before'
  try {
    const old = before === undefined ? emptyEntries : await readEntries(before)
    build = 'after'
    const current = after === undefined ? emptyEntries : await readEntries(after)
    return { unreadable: null, ...compareEntries(old, current, task.query) }
  } catch (error) {
    if (!(error instanceof InspectionError)) throw error
    const unreadable = { code: unreadableCodeOf(error), build, message: error.reason }
    return { unreadable, totals: null, total: 0, entries: [] }
  }
}

/**
 * Returns how many bytes of the newer file are in chunks that the older one has too. Returns null without indexes, or if
 * their chunks have other sizes.
 */
async function findSharedBytes(before?: ByteSource, after?: ByteSource): Promise<number | null> {
  if (before === undefined || after === undefined) return null
  try {
    const [old, current] = [await readIndex(before), await readIndex(after)]
    if (old.sizes.averageBits !== current.sizes.averageBits) return null
    const known = new Set(old.chunks.map(({ sha256 }) => sha256))
    return current.chunks.reduce((sum, { sha256, sizeBytes }) => sum + (known.has(sha256) ? sizeBytes : 0), 0)
  } catch (error) {
    if (error instanceof InvalidChunkIndex) return null
    throw error
  }
}

async function readIndex(source: ByteSource): Promise<ChunkIndex> {
  const parts: Buffer[] = []
  for (let at = 0; at < source.sizeBytes; at += maxRequestBytes)
    parts.push(await source.read(at, Math.min(maxRequestBytes, source.sizeBytes - at)))
  return readChunkIndex(Buffer.concat(parts))
}
