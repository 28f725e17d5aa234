import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { noMetrics } from '../../lib/metrics.ts'
import { ClientDisconnected } from './request-body.ts'
import { sendChunks } from './send-chunks.ts'

const chunk = Buffer.alloc(10_000, 'x')

/** Returns what a client receives at this rate of one byte at a time, and how the download ended. */
async function download(t: { after(work: () => void): void }, minBytesPerSecond: number, everyMs: number) {
  const context = {
    sendTurns: () => Promise.resolve(),
    sendWindows: {
      open: () => ({
        async acquire(maxBytes: number) {
          await pause(everyMs)
          return Math.min(maxBytes, 1_000)
        },
        add: () => 0,
        close: () => true,
      }),
    },
    metrics: noMetrics,
    stallLimit: { windowSeconds: 1, minBytesPerSecond },
  }
  const ended = Promise.withResolvers<unknown>()
  const server = createServer((request, response) => {
    const chunks = (async function* () {
      yield chunk
    })()
    const headers = { 'content-length': chunk.length }
    sendChunks(context, request, response, { status: 200, headers, sizeBytes: chunk.length, chunks }).then(
      ended.resolve,
      ended.resolve,
    )
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const received = await fetch(`http://127.0.0.1:${port}`).then(
    (response) => response.bytes().catch(() => undefined),
    () => undefined,
  )
  return { received: received?.length, error: await ended.promise }
}

test('disconnects a client that receives bytes regularly, but fewer than the minimum rate', async (t) => {
  const { received, error } = await download(t, 100_000, 400)
  assert.equal(received, undefined)
  assert.ok(error instanceof ClientDisconnected)
})

test('sends everything to a slow client that receives more than the minimum rate', async (t) => {
  const { received, error } = await download(t, 1_000, 200)
  assert.equal(received, chunk.length)
  assert.equal(error, undefined)
})
