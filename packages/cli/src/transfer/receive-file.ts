import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { networkReason, retryDelayMs } from '@quayside/sdk'
import { Failure } from '../failure.ts'
import type { Output } from '../output/output.ts'
import { getRange, startOfBody } from './get-range.ts'
import { PartFile } from './part-file.ts'
import type { Checksum } from './part-file.ts'
import type { Agents } from './put-range.ts'

export type ReceiveFile = {
  filename: string
  sizeBytes: number
  /** What the server says; undefined while it does not know it yet. */
  checksum: Checksum | undefined
  /** Asks the server again, once the bytes are there. */
  checksumNow: () => Promise<Checksum | undefined>
  /** Absolute path of the finished file. */
  target: string
  /** Absolute path of the unfinished one, in the same folder. */
  partPath: string
  /** A signed URL; asked again when one is refused. */
  url: (fresh: boolean) => Promise<string>
  agents: Agents
  output: Output
  signal: AbortSignal
}

const tries = 10

/** Downloads into a part file, going on where an earlier run or a broken connection stopped, and checks it. */
export async function receiveFile(
  receive: ReceiveFile,
): Promise<{ receivedBytes: number; checksum: Checksum }> {
  const { filename, sizeBytes, checksum, output } = receive
  const part = await PartFile.open(receive.partPath, checksum, sizeBytes)
  const kept = part.sizeBytes
  if (kept > 0) output.note(`resuming ${filename}: ${Math.floor((kept / sizeBytes) * 100)} % already there`)
  let receivedBytes = 0
  try {
    receivedBytes += await receiveRest(receive, part)
    if (kept > 0 && part.checksum().hex !== checksum?.hex) {
      output.note(`${filename}: what an earlier run left does not fit; starting over`)
      await part.restart()
      receivedBytes += await receiveRest(receive, part)
    }
  } catch (error) {
    await part.close()
    if (!receive.signal.aborted) throw error
    const percent = Math.floor((part.sizeBytes / sizeBytes) * 100)
    const advice = 'run the same command again to get only the rest'
    throw new Failure('interrupted', `Interrupted with ${percent} % of ${filename} received: ${advice}.`)
  }
  const expected = checksum ?? (await receive.checksumNow())
  const received = part.checksum()
  if (expected === undefined)
    output.note(`${filename} is not checked: the server does not know its checksum yet.`)
  else if (expected.algorithm === received.algorithm && expected.hex !== received.hex) {
    await part.discard()
    throw new Failure(
      'failed',
      `The ${received.algorithm} of ${filename} is not the server's: download it again.`,
    )
  }
  await part.finish(receive.target)
  return { receivedBytes, checksum: received }
}

async function receiveRest(receive: ReceiveFile, part: PartFile): Promise<number> {
  const { filename, sizeBytes, output, signal } = receive
  const progress = output.progress({
    label: filename,
    totalBytes: sizeBytes,
    alreadyDoneBytes: part.sizeBytes,
  })
  let receivedBytes = 0
  let fresh = false
  try {
    for (let failures = 0; part.sizeBytes < sizeBytes;) {
      const before = part.sizeBytes
      let reason: string
      let retryAfter: string | null = null
      try {
        const response = await getRange(await receive.url(fresh), before, receive.agents, signal)
        const start = startOfBody(response)
        fresh = start === undefined && [401, 403, 404, 410].includes(response.statusCode ?? 0)
        retryAfter = response.headers['retry-after'] ?? null
        reason = `the storage answered ${response.statusCode}`
        if (start === undefined) response.resume()
        else {
          if (start !== before) {
            progress.add(-before)
            await part.restart()
          }
          await part.append(limited(response, sizeBytes - part.sizeBytes, filename), (bytes) => {
            receivedBytes += bytes
            progress.add(bytes)
          })
          reason = 'the connection ended early'
        }
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Failure || !isNetworkError(error)) throw error
        reason = networkReason(error)
      }
      if (part.sizeBytes >= sizeBytes) break
      failures = part.sizeBytes > before ? 1 : failures + 1
      if (failures >= tries) {
        const advice = 'Run the same command again: it goes on where this one stopped.'
        throw new Failure('unreachable', `${filename} did not get through: ${reason}. ${advice}`)
      }
      output.note(`${filename}: ${reason}; trying again`)
      await sleep(retryDelayMs(failures - 1, retryAfter), undefined, { signal })
    }
  } finally {
    progress.end()
  }
  return receivedBytes
}

async function* limited(response: IncomingMessage, bytes: number, filename: string): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of response as AsyncIterable<Buffer>) {
    left -= chunk.length
    if (left < 0)
      throw new Failure('failed', `${filename} is longer than the server said: download it again.`)
    yield chunk
  }
}

// Failures of the local disk are not worth another try.
function isNetworkError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (
    !['ENOSPC', 'EACCES', 'EPERM', 'EIO', 'EROFS', 'EDQUOT', 'EBADF'].includes(code) &&
    !(error instanceof TypeError)
  )
}
