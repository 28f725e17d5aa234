import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connectionKey, readSendQueues, type SendQueues } from './send-queues.ts'

/** The number of unread bytes that are sent to a client that has not yet received `provenBytes`. */
const maxUnreadBytes = 256 * 1024
/**
 * A client that has received this many bytes reads them. The kernel of a client that does not read receives 64 to 128 KiB by
 * default.
 */
const provenBytes = 512 * 1024

type Options = {
  /** While at most this many downloads have not reached `provenBytes`, none is limited. */
  maxUnlimited?: number
  /** The time between two measurements of the send queues. */
  intervalMs?: number
  readQueues?: () => Promise<SendQueues>
}

type Download = Pick<Socket, 'destroyed' | 'localPort' | 'remoteAddress' | 'remotePort'>

export type SendWindow = {
  /** Resolves with the number of bytes, at most `maxBytes`, that may be sent next. */
  acquire(maxBytes: number): Promise<number>
  /** Counts bytes that the kernel has accepted. */
  add(sizeBytes: number): void
  close(): void
}

export type SendWindows = ReturnType<typeof createSendWindows>

/**
 * Limits how many bytes are sent to clients that do not read them. The kernel accepts up to 4 MiB per connection, so a
 * thousand such clients would keep the process busy with filling gigabytes of kernel memory. Node.js cannot set the size of
 * this buffer, so its use is read from Linux; on other systems, nothing is limited.
 */
export function createSendWindows({
  maxUnlimited = process.platform === 'linux' ? 64 : Infinity,
  intervalMs = 250,
  readQueues = readSendQueues,
}: Options = {}) {
  const unproven = new Set<{ key: string; sentBytes: number; receivedBytes: number }>()
  let measurement: Promise<void> | undefined

  async function measure(): Promise<void> {
    await pause(intervalMs)
    const sent = [...unproven].map((download) => ({ download, sentBytes: download.sentBytes }))
    try {
      const queues = await readQueues()
      for (const { download, sentBytes } of sent) {
        download.receivedBytes = Math.max(download.receivedBytes, sentBytes - (queues.get(download.key) ?? 0))
        if (download.receivedBytes >= provenBytes) unproven.delete(download)
      }
    } catch {
      // Downloads must not stop because the queues cannot be read.
      unproven.clear()
    }
  }

  return {
    /** Opens the window of a download, which the caller must close. */
    open(socket: Download): SendWindow {
      const download = { key: connectionKey(socket), sentBytes: 0, receivedBytes: 0 }
      unproven.add(download)
      const isLimited = () => unproven.size > maxUnlimited && unproven.has(download) && !socket.destroyed
      return {
        async acquire(maxBytes) {
          while (isLimited()) {
            const allowedBytes = maxUnreadBytes + download.receivedBytes - download.sentBytes
            if (allowedBytes > 0) return Math.min(maxBytes, allowedBytes)
            await (measurement ??= measure().finally(() => (measurement = undefined)))
          }
          return maxBytes
        },
        add: (sizeBytes) => (download.sentBytes += sizeBytes),
        close: () => unproven.delete(download),
      }
    },
  }
}
