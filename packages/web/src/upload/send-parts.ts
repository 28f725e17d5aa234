import { QuaysideError, type GetUploadResponse, type QuaysideClient } from '@quayside/sdk'
import { uploadText } from '../text/builds/upload.ts'
import type { ConnectionSlots } from './connection-slots.ts'
import { ConnectionError, putBlob, type PutResponse } from './put-blob.ts'
import { BusyError, retryUntilDone, type RetryWait } from './retry-until-done.ts'
import { FileGoneError, type UploadSource } from './upload-source.ts'

type RemoteFile = GetUploadResponse['data']['files'][number]
/** A range of a file that is sent in one PUT. Number 0 stands for the whole file. */
type Part = { number: number; start: number; sizeBytes: number }
export type SignedPut = { url: string; headers: Record<string, string> }

export type Sending = {
  client: QuaysideClient
  slots: ConnectionSlots
  /** The time at which the upload was added. */
  order: number
  pendingUploadId: string
  file: UploadSource
  signal: AbortSignal
  onWait: (wait: RetryWait) => void
  onSent: (sentBytes: number) => void
  /** Returns a new signed URL for the whole file. */
  signWhole: () => Promise<SignedPut>
}

const maxRejections = 5

/**
 * Sends the parts of a file that storage does not have, several at a time. Returns the ETags of all parts in order, or
 * undefined if the file is sent as a whole or the browser may not read ETags.
 */
export async function sendParts(remote: RemoteFile, sending: Sending): Promise<string[] | undefined> {
  const parts = planParts(remote)
  const etags = new Map(remote.parts.map(({ part_number: number, etag }) => [number, etag]))
  const isStored = ({ number, sizeBytes }: Part) =>
    number === 0
      ? remote.stored
      : remote.parts.some((part) => part.part_number === number && part.size_bytes === sizeBytes)
  let storedBytes = sum(parts.filter(isStored))
  const inFlight = new Map<number, number>()
  const report = () => sending.onSent(storedBytes + [...inFlight.values()].reduce((a, b) => a + b, 0))
  report()

  const remaining = parts.filter((part) => !isStored(part)).values()
  const stop = new AbortController()
  const signal = AbortSignal.any([sending.signal, stop.signal])
  async function work(): Promise<void> {
    for (const part of remaining) {
      const onProgress = (bytes: number) => {
        inFlight.set(part.number, Math.min(bytes, part.sizeBytes))
        report()
      }
      try {
        const etag = await sendPart(part, { ...sending, signal }, onProgress)
        if (etag !== null) etags.set(part.number, etag)
        storedBytes += part.sizeBytes
      } catch (error) {
        // The other parts of the file stop with the first failure.
        stop.abort(error)
        throw error
      } finally {
        inFlight.delete(part.number)
        report()
      }
    }
  }
  const results = await Promise.allSettled(Array.from({ length: sending.file.partsAtOnce }, work))
  sending.signal.throwIfAborted()
  stop.signal.throwIfAborted()
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const list = parts.map(({ number }) => etags.get(number))
  return remote.chunked_part_size_mb === null || list.includes(undefined) ? undefined : (list as string[])
}

async function sendPart(
  part: Part,
  sending: Sending,
  onProgress: (bytes: number) => void,
): Promise<string | null> {
  const { slots, order, onWait, file } = sending
  let rejections = 0
  const attempt = (signal: AbortSignal) =>
    slots.run(order, signal, async () => {
      try {
        const { url, headers } = await signPart(part, { ...sending, signal })
        const blob = await file.slice(part.start, part.start + part.sizeBytes)
        const response = await putBlob({ url, headers, blob, signal, onProgress })
        if (response.status >= 200 && response.status < 300) return response.etag
        throw refusal(response, ++rejections)
      } catch (error) {
        onProgress(0)
        if (error instanceof ConnectionError) await requireReadable(file, part)
        throw error
      }
    })
  return retryUntilDone(attempt, { signal: sending.signal, onWait })
}

async function signPart(part: Part, sending: Sending): Promise<SignedPut> {
  if (part.number === 0) return sending.signWhole()
  const { client, pendingUploadId: id, signal } = sending
  const body = { pending_upload_id: id, part_number: part.number, content_length: part.sizeBytes }
  const { part_presigned_url: url } = await client.requestUploadPart({ body }, { signal, idempotent: true })
  return { url, headers: {} }
}

/** A rejected signature may have expired, so the first rejections are retried with a new URL. */
function refusal({ status, message, retryAfter }: PutResponse, rejections: number): Error {
  const text = message === '' ? uploadText.storageStatus(status) : message
  const isBusy = status === 429 || status === 503
  const isRetryable = status === 403 || status === 408 || (status >= 500 && status !== 507)
  if (isBusy || (isRetryable && rejections < maxRejections)) return new BusyError(text, retryAfter)
  return new QuaysideError(status, text)
}

async function requireReadable(file: UploadSource, { start, sizeBytes }: Part): Promise<void> {
  try {
    await file.requireReadable(start, start + sizeBytes)
  } catch (error) {
    throw new FileGoneError(undefined, { cause: error })
  }
}

function planParts({ size_bytes: sizeBytes, chunked_part_size_mb: partSizeMb }: RemoteFile): Part[] {
  if (partSizeMb === null) return [{ number: 0, start: 0, sizeBytes }]
  const partBytes = partSizeMb * 1024 * 1024
  return Array.from({ length: Math.ceil(sizeBytes / partBytes) }, (_, index) => {
    const start = index * partBytes
    return { number: index + 1, start, sizeBytes: Math.min(partBytes, sizeBytes - start) }
  })
}

const sum = (parts: readonly Part[]): number => parts.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
