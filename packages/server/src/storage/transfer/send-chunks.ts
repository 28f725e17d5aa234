import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Metrics } from '../../lib/metrics.ts'
import type { Turns } from '../turns.ts'
import { ClientDisconnected, type StallLimit } from './request-body.ts'
import type { SendWindow, SendWindows } from './send-windows.ts'

export type SendContext = {
  /** Limits how many buffers are sent per iteration of the event loop, so that API requests do not wait for many. */
  sendTurns: Turns
  sendWindows: SendWindows
  metrics: Pick<Metrics, 'startTransfer'>
  stallLimit: StallLimit
}

export const maxSendsPerIteration = 2
export const defaultStallLimit: StallLimit = { windowSeconds: 60, minBytesPerSecond: 1024 }

type Body = {
  status: number
  headers: OutgoingHttpHeaders
  sizeBytes: number
  /** Chunks that are valid until the next one is requested. */
  chunks: AsyncGenerator<Uint8Array, void, undefined>
}

/**
 * Sends a body of exactly `sizeBytes` bytes. If bytes are missing, throws before the response is complete, so that the
 * caller can close the connection.
 */
export async function sendChunks(
  { sendTurns, sendWindows, metrics, stallLimit }: SendContext,
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, sizeBytes, chunks }: Body,
): Promise<void> {
  const transfer = metrics.startTransfer('download')
  const window = sendWindows.open(request.socket)
  try {
    await sendTurns()
    // The first bytes are read before the status is sent, so that an unreadable file is reported as an error status.
    let next = await chunks.next()
    response.setTimeout(stallLimit.windowSeconds * 1000, () => response.destroy())
    response.writeHead(status, headers)
    let unsentBytes = sizeBytes
    while (next.done !== true) {
      await sendChunk(response, next.value, { window, stallLimit })
      transfer.add(next.value.length)
      unsentBytes -= next.value.length
      if (unsentBytes > 0) await sendTurns()
      next = await chunks.next()
    }
    response.end()
  } finally {
    window.close()
    transfer.end()
    await chunks.return()
  }
}

/**
 * Sends a chunk to a client that receives it at the minimum rate, on average after the first window. A client that reads a
 * few bytes now and then would otherwise occupy the memory of the chunk indefinitely.
 */
async function sendChunk(
  response: ServerResponse,
  chunk: Uint8Array,
  { window, stallLimit }: { window: SendWindow; stallLimit: StallLimit },
): Promise<void> {
  const { windowSeconds, minBytesPerSecond } = stallLimit
  const maxSeconds = windowSeconds + chunk.length / minBytesPerSecond
  const timer = setTimeout(() => response.destroy(), maxSeconds * 1000)
  try {
    for (let offset = 0; offset < chunk.length;) {
      const end = offset + (await window.acquire(chunk.length - offset))
      await send(response, chunk.subarray(offset, end))
      window.add(end - offset)
      offset = end
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Sends the bytes. Resolves once the kernel has copied them, so that the caller can reuse their memory. */
const send = (response: ServerResponse, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    // While its connection is being closed, Node keeps the bytes of a response and never calls back.
    const onClose = (): void => reject(new ClientDisconnected())
    response.once('close', onClose)
    response.write(bytes, (error) => {
      response.off('close', onClose)
      if (error) reject(new ClientDisconnected(error))
      else resolve()
    })
  })
