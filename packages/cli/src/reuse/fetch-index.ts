import { QuaysideError } from '@quayside/sdk'
import type { QuaysideClient } from '@quayside/sdk'
import {
  chunkIndexStartBytes,
  headerBytes,
  InvalidChunkIndex,
  maxChunkIndexBytes,
  readChunkIndex,
  sumBytes,
} from '@quayside/sdk/chunk-index'
import type { ChunkIndex } from '@quayside/sdk/chunk-index'
import type { CommandContext } from '../command-context.ts'
import { bodyOffset, getRange } from '../transfer/get-range.ts'
import { PendingIndexError, ReuseError } from './reuse-context.ts'

type FetchContext = Pick<CommandContext, 'agents' | 'signal'>

/** The chunks in the index of a file of 100 GB take 6 MB. */
const maxIndexBytes = 64 * 1024 * 1024

/** A chunk index, of which the checksums of pieces are fetched when they are needed. */
export type FetchedIndex = ChunkIndex & {
  /** Fetches the checksums of consecutive pieces. Throws `ReuseError` if they cannot be fetched. */
  fetchSums: (firstPiece: number, count: number) => Promise<Buffer>
}

/** Fetches the chunk index of a file of this size. Throws `ReuseError` if it cannot be read or describes another file. */
export async function fetchChunkIndex(
  context: FetchContext,
  location: string,
  sizeBytes: number,
): Promise<FetchedIndex> {
  const fetchBytes = (start: number, end: number) => fetchRange(context, location, start, end)
  try {
    const header = await fetchBytes(0, headerBytes)
    const startBytes = chunkIndexStartBytes(header)
    if (startBytes > Math.min(maxIndexBytes, maxChunkIndexBytes(sizeBytes)))
      throw new InvalidChunkIndex('The chunk index is larger than its file allows.')
    const index = readChunkIndex(Buffer.concat([header, await fetchBytes(headerBytes, startBytes)]))
    if (index.fileBytes !== sizeBytes) throw new InvalidChunkIndex('The chunk index describes another file.')
    const sumsStart = index.pieces?.start ?? 0
    const fetchSums = async (firstPiece: number, count: number) => {
      const start = sumsStart + firstPiece * sumBytes
      return await fetchBytes(start, start + count * sumBytes)
    }
    return { ...index, fetchSums }
  } catch (error) {
    if (!(error instanceof InvalidChunkIndex)) throw error
    throw new ReuseError(error.message, { cause: error })
  }
}

/** Requests the URL of the chunk index of a file. Throws `ReuseError` if there is none. */
export async function requestIndexUrl(
  { client, signal }: { client: QuaysideClient; signal: AbortSignal },
  params: { application_id: string; build_id: string; file_id: string },
): Promise<string> {
  try {
    const { location } = await client.getFileChunks(params, { signal })
    if (location !== undefined) return location
  } catch (error) {
    if (!(error instanceof QuaysideError) || error.status !== 404) throw error
    // An older server does not have the endpoint.
    if (error.code === 'chunk_index.pending')
      throw new PendingIndexError('The server has not computed its chunk index yet.')
  }
  throw new ReuseError('The server has no chunk index of it.')
}

/** Fetches a range of an index, or less if it ends before. */
async function fetchRange(
  { agents, signal }: FetchContext,
  location: string,
  start: number,
  end: number,
): Promise<Buffer> {
  const unreadable = 'The chunk index could not be downloaded.'
  try {
    const response = await getRange(location, { start, end, agents, signal })
    const offset = bodyOffset(response)
    if (offset === undefined || offset > start) {
      response.destroy()
      throw new ReuseError(unreadable)
    }
    const range = Buffer.alloc(end - start)
    let position = offset
    for await (const bytes of response as AsyncIterable<Buffer>) {
      if (position + bytes.length > start)
        bytes.copy(range, Math.max(0, position - start), Math.max(0, start - position))
      position += bytes.length
      // A store without ranges sends the whole index.
      if (position > end) break
    }
    return range.subarray(0, Math.max(0, position - start))
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof ReuseError ? error : new ReuseError(unreadable, { cause: error })
  }
}
