import { setTimeout as sleep } from 'node:timers/promises'
import { networkCode, networkReason, retryDelayMs } from '@quayside/sdk'
import { Failure, tooLargeAdvice } from '../failure.ts'
import { putRange } from './put-range.ts'
import type { PutResponse, PutRange } from './put-range.ts'

export type SignedTarget = { url: string; headers: Record<string, string> }

export type SendRange = Omit<PutRange, 'url' | 'headers'> & {
  /** URL of the server. Error messages compare it with the signed URL. */
  server: string
  /** Returns the URL and headers for the PUT. `fresh` requests a new signature after a 403. */
  target: (fresh: boolean) => Promise<SignedTarget>
  /** Called after each failed attempt that will be retried. */
  onRetry: (reason: string) => void
}

/** Thrown if the storage server rejects a signed URL that cannot be renewed. */
export class UploadLinkExpired extends Failure {}

const maxAttempts = 10
// A signed URL at whose host nothing responds usually results from a configuration mistake, which retries cannot fix.
const maxAttemptsElsewhere = 5

/** PUTs a range, with retries, and checks that the storage server received the same bytes. Resolves with the ETag. */
export async function sendRange(send: SendRange): Promise<{ etag: string }> {
  let fresh = false
  for (let attempt = 0; ; attempt++) {
    const { url, headers } = await send.target(fresh)
    let attemptBytes = 0
    const onBytes = (bytes: number) => {
      attemptBytes += bytes
      send.onBytes(bytes)
    }
    let reason: string
    let retryAfter: string | null = null
    let attempts = maxAttempts
    try {
      const response = await putRange({ ...send, url, headers, onBytes })
      await send.file.requireUnchanged(send)
      if (isStored(response)) return { etag: response.etag }
      reason = describeRejection(response)
      retryAfter = response.retryAfter
      fresh = response.status === 403
      if (!isRetryable(response.status)) {
        throw new Failure(
          'failed',
          `Uploading ${send.file.filename} failed: ${reason}${rejectionAdvice(response.status)}`,
        )
      }
    } catch (error) {
      send.signal.throwIfAborted()
      if (error instanceof Failure) throw error
      await send.file.requireUnchanged(send)
      reason = networkReason(error)
      const isNoServer = ['ECONNREFUSED', 'ENOTFOUND'].includes(networkCode(error))
      if (isNoServer && isElsewhere(url, send.server)) attempts = maxAttemptsElsewhere
    }
    send.onBytes(-attemptBytes)
    if (attempt + 1 >= attempts) {
      throw new Failure(
        'unreachable',
        `Uploading ${send.file.filename} failed: ${reason}.${originAdvice(url, send.server)} Rerun the command to resume.`,
      )
    }
    send.onRetry(reason)
    await sleep(retryDelayMs(attempt, retryAfter), undefined, { signal: send.signal })
  }
}

// If S3 encrypts an object with a KMS key, its ETag is not an MD5 and cannot be compared.
function isStored({ status, md5, etag, encrypted }: PutResponse): boolean {
  return status >= 200 && status < 300 && md5 !== '' && (encrypted || etag === md5)
}

function describeRejection({ status, message }: PutResponse): string {
  if (status >= 200 && status < 300) return 'the bytes that storage received do not match the file'
  if (status === 507) return "the server's disk is full. Free some space there, then rerun this command."
  const detail = message.replace(/\.$/, '')
  return `storage responded with HTTP ${status}${detail ? ` (${detail})` : ''}`
}

const isElsewhere = (signedUrl: string, server: string): boolean =>
  new URL(signedUrl).origin !== new URL(server).origin

/** Returns advice if the origin of a signed URL differs from that of the server; otherwise returns ''. */
export function originAdvice(signedUrl: string, server: string): string {
  if (!isElsewhere(signedUrl, server)) return ''
  const { origin } = new URL(signedUrl)
  return ` The server at ${server} signed a URL at ${origin}. If that is not its storage, correct QUAYSIDE_PUBLIC_URL on the server.`
}

function rejectionAdvice(status: number): string {
  if (status === 507) return ''
  if (status === 413) return `. ${tooLargeAdvice}`
  return '. Check the storage and proxy settings of the server.'
}

function isRetryable(status: number): boolean {
  return (
    status < 300 || status === 403 || status === 408 || status === 429 || (status >= 500 && status !== 507)
  )
}
