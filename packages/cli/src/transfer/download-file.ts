import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { networkReason, retryDelayMs } from '@quayside/sdk'
import { Failure } from '../failure.ts'
import { isFileError } from '../files/file-error.ts'
import { cannotWrite } from '../files/file-failure.ts'
import type { Output, Streams } from '../output/output.ts'
import { percentDone } from '../output/progress-text.ts'
import type { Agents } from './agents.ts'
import { getRange, bodyOffset, reportedSize } from './get-range.ts'
import { readBody } from './large-reads.ts'
import { OutputTarget } from './output-target.ts'
import { PartialFile } from './partial-file.ts'
import type { Checksum } from './partial-file.ts'
import { retryAfterOf } from './rate-limit.ts'

type Download = {
  filename: string
  sizeBytes: number
  /** Checksum from the server, or undefined if the server has not computed it yet. */
  checksum: Checksum | undefined
  /** Fetches the checksum after the download, in case the server has computed it in the meantime. */
  fetchChecksum: () => Promise<Checksum | undefined>
  /** Returns a signed URL. `fresh` requests a new one. */
  url: (fresh: boolean) => Promise<string>
  /** Headers that the URL requires, such as a token. They are not sent to another origin. */
  headers?: Record<string, string>
  /** Returns whether a redirect to a URL is followed. Defaults to true. */
  follows?: (url: URL) => boolean
  agents: Agents
  output: Output
  signal: AbortSignal
}

export type DownloadFile = Download & {
  /** Absolute path of the finished file. */
  target: string
  /** Absolute path of the partial file, in the same folder. */
  partialPath: string
}

/** Thrown if the downloaded bytes do not match the file's checksum. */
class ChecksumFailure extends Failure {}

const maxAttempts = 10

/** Downloads to a partial file, resumes after an interruption and verifies the checksum. */
export async function downloadFile(
  download: DownloadFile,
): Promise<{ receivedBytes: number; checksum: Checksum }> {
  try {
    return await downloadToPartialFile(download)
  } catch (error) {
    throw isFileError(error) ? cannotWrite(download.target, error) : error
  }
}

async function downloadToPartialFile(
  download: DownloadFile,
): Promise<{ receivedBytes: number; checksum: Checksum }> {
  const { filename, sizeBytes, checksum, output } = download
  const partial = await PartialFile.open(download.partialPath, checksum, sizeBytes, download.agents)
  const keptBytes = partial.sizeBytes
  if (keptBytes > 0)
    output.note(`Resuming ${filename}: ${percentDone(keptBytes, sizeBytes)}% already downloaded.`)
  let receivedBytes = 0
  try {
    receivedBytes += await downloadRest(download, partial)
    if (keptBytes > 0 && (await partial.checksum()).hex !== checksum?.hex) {
      output.note(`The partial download of ${filename} does not match the checksum. Starting over.`)
      await partial.restart()
      receivedBytes += await downloadRest(download, partial)
    }
  } catch (error) {
    await partial.close()
    if (!download.signal.aborted) throw error
    const percent = percentDone(partial.sizeBytes, sizeBytes)
    throw new Failure(
      'interrupted',
      `Interrupted after ${percent}% of ${filename}. Rerun the command to resume.`,
    )
  }
  const received = await partial.checksum()
  try {
    await verifyChecksum(download, received, 'Rerun the command to download it again.')
  } catch (error) {
    if (error instanceof ChecksumFailure) await partial.discard()
    else await partial.close()
    throw error
  }
  await partial.finish(download.target)
  return { receivedBytes, checksum: received }
}

/** Downloads to standard output and verifies the checksum once all bytes have been written. */
export async function downloadToOutput(download: Download, stdout: Streams['stdout']): Promise<void> {
  const { filename, sizeBytes, checksum, signal } = download
  const target = new OutputTarget(stdout, checksum?.algorithm ?? 'sha256')
  try {
    await downloadRest(download, target)
  } catch (error) {
    if (!signal.aborted) throw error
    const percent = percentDone(target.sizeBytes, sizeBytes)
    throw new Failure('interrupted', `Interrupted after ${percent}% of ${filename}. Discard the output.`)
  }
  await verifyChecksum(download, target.checksum(), 'Discard the output and rerun the command.')
}

async function verifyChecksum(download: Download, received: Checksum, advice: string): Promise<void> {
  const { filename, output } = download
  const expected = download.checksum ?? (await download.fetchChecksum())
  if (expected === undefined) {
    output.note(`${filename} was not verified because the server has not computed its checksum yet.`)
    return
  }
  if (expected.algorithm !== received.algorithm || expected.hex === received.hex) return
  throw new ChecksumFailure(
    'failed',
    `The ${received.algorithm === 'md5' ? 'MD5' : 'SHA-256'} checksum of ${filename} does not match. ${advice}`,
  )
}

async function downloadRest(download: Download, partial: PartialFile | OutputTarget): Promise<number> {
  const { filename, sizeBytes, output, signal } = download
  const progress = output.progress({
    label: filename,
    totalBytes: sizeBytes,
    alreadyDoneBytes: partial.sizeBytes,
  })
  const requireUnchanged = createChangeDetector(download)
  let receivedBytes = 0
  let fresh = false
  try {
    for (let failures = 0; partial.sizeBytes < sizeBytes;) {
      const before = partial.sizeBytes
      let reason: string
      let retryAfter: string | null = null
      try {
        const response = await getRange(await download.url(fresh), { ...download, start: before })
        const start = bodyOffset(response)
        fresh = start === undefined && [401, 403, 404, 410].includes(response.statusCode ?? 0)
        retryAfter = retryAfterOf((name) => response.headers[name]?.toString(), Date.now())
        reason = `storage responded with HTTP ${response.statusCode}`
        requireSize(response, sizeBytes, filename)
        if (start === undefined) response.resume()
        else {
          if (start !== before) {
            progress.add(-before)
            await partial.restart()
          }
          requireUnchanged(response, start)
          await partial.append(limitBytes(response, sizeBytes - partial.sizeBytes, filename), (bytes) => {
            receivedBytes += bytes
            progress.add(bytes)
          })
          reason = 'the connection was closed early'
        }
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Failure || !isNetworkError(error)) throw error
        reason = networkReason(error)
      }
      if (partial.sizeBytes >= sizeBytes) break
      failures = partial.sizeBytes > before ? 1 : failures + 1
      if (failures >= maxAttempts) {
        throw new Failure(
          'unreachable',
          `Downloading ${filename} failed: ${reason}. Rerun the command${partial instanceof PartialFile ? ' to resume' : ''}.`,
        )
      }
      output.note(`${filename}: ${reason}. Retrying.`)
      await sleep(retryDelayMs(failures - 1, retryAfter), undefined, { signal })
    }
  } finally {
    progress.end()
  }
  return receivedBytes
}

/**
 * Returns a function that throws if a response continues another version of the file than the responses before it. A
 * checksum would reveal that too.
 */
function createChangeDetector({
  checksum,
  filename,
}: Download): (response: IncomingMessage, start: number) => void {
  let version: string | undefined
  return (response, start) => {
    const { etag, 'last-modified': modified } = response.headers
    const current = etag ?? modified
    if (start > 0 && checksum === undefined && version !== undefined && current !== version) {
      response.destroy()
      throw new Failure(
        'failed',
        `${filename} changed while it was being downloaded. Rerun the command to download it again.`,
      )
    }
    version = current
  }
}

/** Throws if the server reports another size than expected, because no retry would help. */
function requireSize(response: IncomingMessage, sizeBytes: number, filename: string): void {
  const size = reportedSize(response)
  if (size === undefined || size === sizeBytes) return
  response.destroy()
  if (size > sizeBytes) throw tooLarge(filename)
  throw new Failure(
    'failed',
    `${filename} is smaller than expected: ${size} instead of ${sizeBytes} bytes. Rerun the command to download it again.`,
  )
}

const tooLarge = (filename: string): Failure =>
  new Failure('failed', `${filename} is larger than expected. Rerun the command to download it again.`)

async function* limitBytes(
  response: IncomingMessage,
  bytes: number,
  filename: string,
): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of readBody(response)) {
    left -= chunk.length
    if (left < 0) throw tooLarge(filename)
    yield chunk
  }
}

/** Returns whether an error is one of the network, which is retried, and not of the local disk. */
export function isNetworkError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return !isFileError(error) && code !== 'EBADF' && !(error instanceof TypeError)
}
