import { QuaysideError } from '@quayside/sdk'
import { InvalidChunkIndex, maxChunkIndexBytes, readChunkIndex } from '@quayside/sdk/chunk-index'
import type { ChunkIndex } from '@quayside/sdk/chunk-index'
import type { CommandContext } from '../command-context.ts'
import { bodyOffset, getRange } from '../transfer/get-range.ts'
import { PendingIndexError, ReuseError } from './reuse-context.ts'

type FetchContext = Pick<CommandContext, 'client' | 'agents' | 'signal'>

/** The index of a file of 100 GB has 6 MB. */
const maxIndexBytes = 64 * 1024 * 1024

type IndexedFile = {
  application_id: string
  build_id: string
  file_id: string
  sizeBytes: number
}

/** Fetches the chunk index of a file. Throws `ReuseError` if there is none, or if it does not describe the file. */
export async function fetchChunkIndex(
  context: FetchContext,
  { sizeBytes, ...params }: IndexedFile,
): Promise<ChunkIndex> {
  const location = await requestLocation(context, params)
  const bytes = await fetchBytes(context, location, Math.min(maxIndexBytes, maxChunkIndexBytes(sizeBytes)))
  try {
    const index = readChunkIndex(bytes)
    if (index.fileBytes !== sizeBytes) throw new InvalidChunkIndex('The chunk index describes another file.')
    return index
  } catch (error) {
    if (!(error instanceof InvalidChunkIndex)) throw error
    throw new ReuseError(error.message, { cause: error })
  }
}

async function requestLocation(
  context: FetchContext,
  params: Omit<IndexedFile, 'sizeBytes'>,
): Promise<string> {
  try {
    const { location } = await context.client().getFileChunks(params, { signal: context.signal })
    if (location !== undefined) return location
  } catch (error) {
    if (!(error instanceof QuaysideError) || error.status !== 404) throw error
    // An older server does not have the endpoint.
    if (error.code === 'chunk_index.pending')
      throw new PendingIndexError('The server has not computed its chunk index yet.')
  }
  throw new ReuseError('The server has no chunk index of it.')
}

async function fetchBytes(
  { agents, signal }: FetchContext,
  location: string,
  maxBytes: number,
): Promise<Buffer> {
  const unreadable = 'The chunk index could not be downloaded.'
  try {
    const response = await getRange(location, { start: 0, agents, signal })
    if (bodyOffset(response) !== 0) {
      response.destroy()
      throw new ReuseError(unreadable)
    }
    const received: Buffer[] = []
    let receivedBytes = 0
    for await (const bytes of response as AsyncIterable<Buffer>) {
      received.push(bytes)
      receivedBytes += bytes.length
      if (receivedBytes > maxBytes) throw new ReuseError('The chunk index is larger than its file allows.')
    }
    return Buffer.concat(received)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof ReuseError ? error : new ReuseError(unreadable, { cause: error })
  }
}
