import { setTimeout as sleep } from 'node:timers/promises'
import { networkReason, retryDelayMs } from '@quayside/sdk'
import { Failure } from '../failure.ts'
import { isNetworkError } from '../transfer/download-file.ts'
import { bodyOffset, getRange } from '../transfer/get-range.ts'
import { readBody } from '../transfer/large-reads.ts'
import { retryAfterOf } from '../transfer/rate-limit.ts'
import { sha256 } from './find-chunks.ts'
import { ReuseError } from './reuse-context.ts'
import type { ReuseContext, ReusedFile } from './reuse-context.ts'

/** Bytes of the file. They are verified if they have a SHA-256. */
export type RemotePiece = { start: number; sizeBytes: number; sha256?: string }

/** Consecutive pieces of the file. */
export type RemoteRange = RemotePiece[]

const maxRangeBytes = 16 * 1024 * 1024
const maxAttempts = 10
/** Bodies that are read past the HTTP parser take less time, but close their connection. */
const minLargeBodyBytes = 4 * 1024 * 1024

/** Joins pieces that follow each other in the file to ranges of about `maxBytes`, each of which takes one request. */
export function joinPieces(pieces: readonly RemotePiece[], maxBytes = maxRangeBytes): RemoteRange[] {
  const ranges: RemoteRange[] = []
  let end = -1
  let rangeBytes = 0
  for (const piece of pieces) {
    const range = ranges.at(-1)
    if (range !== undefined && piece.start === end && rangeBytes < maxBytes) range.push(piece)
    else {
      ranges.push([piece])
      rangeBytes = 0
    }
    end = piece.start + piece.sizeBytes
    rangeBytes += piece.sizeBytes
  }
  return ranges
}

type Fetch = ReuseContext & {
  file: Pick<ReusedFile, 'filename' | 'url'>
  /** Receives each piece, whose memory is not used again. */
  write: (bytes: Buffer, piece: RemotePiece) => Promise<void> | void
}

/**
 * Downloads the pieces of a range. Throws `ReuseError` if a piece does not have its checksum, or if the store does not
 * support ranges.
 */
export async function fetchRange(fetch: Fetch, range: RemoteRange): Promise<void> {
  const { file, write, agents, output, signal } = fetch
  const remaining = [...range]
  let fresh = false
  for (let failures = 0; remaining.length > 0;) {
    const before = remaining.length
    let reason: string
    let retryAfter: string | null = null
    try {
      const [{ start }, { start: lastStart, sizeBytes }] = [remaining[0], remaining.at(-1)] as [
        RemotePiece,
        RemotePiece,
      ]
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
        for await (const bytes of intoPieces(body, remaining)) {
          const piece = remaining.shift()
          if (piece !== undefined) await write(bytes, piece)
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

/** Yields the bytes of one piece after another, as far as they arrive. Throws if one does not have its checksum. */
async function* intoPieces(
  body: AsyncIterable<Buffer>,
  pieces: readonly RemotePiece[],
): AsyncGenerator<Buffer> {
  // The consumer removes pieces from the list while it receives them.
  const expected = [...pieces].values()
  let piece = expected.next().value
  let filled = Buffer.alloc(piece?.sizeBytes ?? 0)
  let filledBytes = 0
  for await (const bytes of body)
    for (let taken = 0; taken < bytes.length && piece !== undefined;) {
      const copied = bytes.copy(filled, filledBytes, taken)
      taken += copied
      filledBytes += copied
      if (filledBytes < piece.sizeBytes) continue
      if (piece.sha256 !== undefined && sha256(filled) !== piece.sha256)
        throw new ReuseError('The file does not match its chunk index.')
      yield filled
      piece = expected.next().value
      filled = Buffer.alloc(piece?.sizeBytes ?? 0)
      filledBytes = 0
    }
}
