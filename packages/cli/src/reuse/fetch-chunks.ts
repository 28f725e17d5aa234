import type { FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { networkReason, retryDelayMs } from '@quayside/sdk'
import type { Chunk } from '@quayside/sdk/chunk-index'
import { Failure } from '../failure.ts'
import { isNetworkError } from '../transfer/download-file.ts'
import { bodyOffset, getRange } from '../transfer/get-range.ts'
import { readBody } from '../transfer/large-reads.ts'
import { retryAfterOf } from '../transfer/rate-limit.ts'
import { sha256 } from './find-chunks.ts'
import { ReuseError } from './reuse-context.ts'
import type { ReuseContext, ReusedFile } from './reuse-context.ts'

/** Consecutive chunks of the file. */
export type ChunkRange = Chunk[]

const maxRangeBytes = 16 * 1024 * 1024
const maxAttempts = 10
/** Bodies that are read past the HTTP parser take less time, but close their connection. */
const minLargeBodyBytes = 4 * 1024 * 1024

/** Joins chunks that follow each other in the file to ranges, each of which takes one request. */
export function joinChunks(chunks: readonly Chunk[]): ChunkRange[] {
  const ranges: ChunkRange[] = []
  let end = -1
  let rangeBytes = 0
  for (const chunk of chunks) {
    const range = ranges.at(-1)
    if (range !== undefined && chunk.start === end && rangeBytes < maxRangeBytes) range.push(chunk)
    else {
      ranges.push([chunk])
      rangeBytes = 0
    }
    end = chunk.start + chunk.sizeBytes
    rangeBytes += chunk.sizeBytes
  }
  return ranges
}

type Fetch = ReuseContext & {
  file: Pick<ReusedFile, 'filename' | 'url'>
  handle: FileHandle
  /** Called with the number of bytes that were written since the previous call. */
  onBytes: (bytes: number) => void
}

/**
 * Downloads a range and writes its chunks to their places. Throws `ReuseError` if a chunk does not have its checksum, or if
 * the store does not support ranges.
 */
export async function fetchRange(fetch: Fetch, chunks: ChunkRange): Promise<void> {
  const { file, handle, agents, output, signal, onBytes } = fetch
  const remaining = [...chunks]
  let fresh = false
  for (let failures = 0; remaining.length > 0;) {
    const before = remaining.length
    let reason: string
    let retryAfter: string | null = null
    try {
      const [{ start }, { start: lastStart, sizeBytes }] = [remaining[0], remaining.at(-1)] as [Chunk, Chunk]
      const end = lastStart + sizeBytes
      const response = await getRange(await file.url(fresh), { start, end, agents, signal })
      const offset = bodyOffset(response)
      const status = response.statusCode ?? 0
      fresh = [401, 403, 404, 410].includes(status)
      retryAfter = retryAfterOf((name) => response.headers[name]?.toString(), Date.now())
      reason = `storage responded with HTTP ${status}`
      if (offset === undefined) response.resume()
      else if (offset === start) {
        const body =
          end - start < minLargeBodyBytes ? (response as AsyncIterable<Buffer>) : readBody(response)
        for await (const bytes of intoChunks(body, remaining)) {
          await handle.write(bytes, 0, bytes.length, remaining[0]?.start)
          remaining.shift()
          onBytes(bytes.length)
          if (remaining.length === 0) break
        }
        reason = 'the connection was closed early'
      } else {
        response.destroy()
        throw new ReuseError('The store of the file does not support ranges.')
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Failure || error instanceof ReuseError || !isNetworkError(error)) throw error
      reason = networkReason(error)
    }
    if (remaining.length === 0) break
    failures = remaining.length < before ? 1 : failures + 1
    if (failures >= maxAttempts)
      throw new Failure(
        'unreachable',
        `Downloading ${file.filename} failed: ${reason}. Rerun the command to resume.`,
      )
    output.note(`${file.filename}: ${reason}. Retrying.`)
    await sleep(retryDelayMs(failures - 1, retryAfter), undefined, { signal })
  }
}

/** Yields the bytes of one chunk after another, as far as they arrive. Throws if one does not have its checksum. */
async function* intoChunks(body: AsyncIterable<Buffer>, chunks: readonly Chunk[]): AsyncGenerator<Buffer> {
  // The consumer removes chunks from the list while it receives them.
  const expected = [...chunks].values()
  let chunk = expected.next().value
  let filled = Buffer.alloc(chunk?.sizeBytes ?? 0)
  let filledBytes = 0
  for await (const bytes of body)
    for (let taken = 0; taken < bytes.length && chunk !== undefined;) {
      const copied = bytes.copy(filled, filledBytes, taken)
      taken += copied
      filledBytes += copied
      if (filledBytes < chunk.sizeBytes) continue
      if (sha256(filled) !== chunk.sha256) throw new ReuseError('The file does not match its chunk index.')
      yield filled
      chunk = expected.next().value
      filled = Buffer.alloc(chunk?.sizeBytes ?? 0)
      filledBytes = 0
    }
}
