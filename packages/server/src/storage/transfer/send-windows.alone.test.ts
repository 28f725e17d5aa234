import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/until.ts'
import { connectionKey } from './send-queues.ts'
import { createSendWindows } from './send-windows.ts'

const windowBytes = 256 * 1024
const chunkBytes = 1024 * 1024

/** Returns a function that opens downloads, of which only one is unlimited, with send queues that the test sets. */
function createDownloads(failure?: Error) {
  const queues = new Map<string, number>()
  const windows = createSendWindows({
    maxUnlimited: 1,
    intervalMs: 1,
    readQueues: async () => {
      if (failure) throw failure
      return queues
    },
  })
  let remotePort = 1000
  return () => {
    const socket = { destroyed: false, localPort: 80, remoteAddress: '192.0.2.1', remotePort: remotePort++ }
    const window = windows.open(socket)
    const key = connectionKey(socket)
    return {
      close: window.close,
      disconnect: () => (socket.destroyed = true),
      setQueue: (sizeBytes: number) => queues.set(key, sizeBytes),
      /** Sends what the window allows. The client receives nothing of it. */
      async send(): Promise<number> {
        const sizeBytes = await window.acquire(chunkBytes)
        window.add(sizeBytes)
        queues.set(key, (queues.get(key) ?? 0) + sizeBytes)
        return sizeBytes
      },
    }
  }
}

/** Returns whether the promise is still pending after several measurements. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const timeout = new Promise((resolve) => setTimeout(resolve, 50, 'pending'))
  return (await Promise.race([promise, timeout])) === 'pending'
}

test('does not limit a few downloads', async () => {
  const download = createDownloads()()
  for (let count = 0; count < 5; count++) assert.equal(await download.send(), chunkBytes)
})

test('limits what is sent to clients that receive nothing', async () => {
  const open = createDownloads()
  const downloads = [open(), open()]
  for (const download of downloads) assert.equal(await download.send(), windowBytes)
  const pending = downloads.map((download) => download.send())
  assert.equal(await isPending(Promise.race(pending)), true)
  for (const download of downloads) download.disconnect()
  await Promise.all(pending)
})

test('sends as many bytes as a slow client has received', async () => {
  const open = createDownloads()
  const [download] = [open(), open()]
  await download.send()
  const next = download.send()
  download.setQueue(windowBytes - 1000)
  assert.equal(await next, 1000)
})

test('does not limit a client that has received 512 KiB', async () => {
  const open = createDownloads()
  const [download] = [open(), open()]
  await until('the client to be unlimited', async () => {
    const sizeBytes = await download.send()
    download.setQueue(0)
    return sizeBytes === chunkBytes
  })
  for (let count = 0; count < 5; count++) assert.equal(await download.send(), chunkBytes)
})

test('does not limit a download after the others have ended', async () => {
  const open = createDownloads()
  const [download, other] = [open(), open()]
  await download.send()
  const next = download.send()
  other.close()
  assert.equal(await next, chunkBytes)
})

test('does not wait for a client that has disconnected', async () => {
  const open = createDownloads()
  const [download] = [open(), open()]
  await download.send()
  const next = download.send()
  download.disconnect()
  assert.equal(await next, chunkBytes)
})

test('does not limit downloads if the send queues cannot be read', async () => {
  const open = createDownloads(new Error('EMFILE'))
  const [download] = [open(), open()]
  assert.equal(await download.send(), windowBytes)
  assert.equal(await download.send(), chunkBytes)
})
