import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitConcurrency } from '../lib/concurrency.ts'
import { createBlockMemories, minBlockBytes } from './block-memory.ts'
import type { ByteRange } from './driver.ts'
import { createRelayLimits } from './relay-limits.ts'
import { readBlocks } from './transfer/range-blocks.ts'

const limitReads = limitConcurrency(16)
const mebibyte = 1024 * 1024
const file = Buffer.from(Array.from({ length: 6 * mebibyte }, (_, index) => (index * 31) % 251))
const hasCode = (code: string) => (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === code

/** Counts the bytes of the blocks that were requested and, once they are read, not yet released. */
function createCountedMemories(maxBytes: number) {
  const memories = createBlockMemories(maxBytes)
  const held = { bytes: 0, maxBytes: 0 }
  return {
    held,
    open(owners: string[]) {
      const memory = memories(owners)
      const counted = {
        ...memory,
        hold(sizeBytes: number) {
          held.bytes += sizeBytes
          held.maxBytes = Math.max(held.maxBytes, held.bytes)
          memory.hold(sizeBytes)
        },
        release(sizeBytes: number) {
          held.bytes -= sizeBytes
          memory.release(sizeBytes)
        },
      }
      return { memory: counted, limitReads }
    },
    async *read({ start, end }: ByteRange) {
      yield file.subarray(start, end + 1)
    },
  }
}

const wholeFile = [{ start: 0, end: file.length - 1 }]

test('bounds the memory of downloads whose clients do not read, and leaves half of it to other owners', async () => {
  const maxBytes = 16 * mebibyte
  const { held, open, read } = createCountedMemories(maxBytes)
  const downloads = Array.from({ length: 100 }, () => readBlocks(wholeFile, read, open(['a'])))
  for (const download of downloads) await download.next()
  assert.ok(held.bytes > maxBytes / 4)
  assert.ok(held.maxBytes <= maxBytes / 2 + downloads.length * minBlockBytes, `${held.maxBytes} bytes`)
  assert.equal(open(['a']).memory.blockBytes(), minBlockBytes)
  assert.ok(open(['b']).memory.blockBytes() > minBlockBytes)

  for (const download of downloads) await download.return(undefined)
  await new Promise(setImmediate)
  assert.equal(held.bytes, 0)
})

test('reads the same bytes in large and small blocks, one small block at a time', async () => {
  const ranges = [
    ...[5_000_000, 100, 70_000, 70_050].map((start) => ({ start, end: start + 300_000 })),
    ...Array.from({ length: 50 }, (_, index) => ({ start: index * 30_000, end: index * 30_000 + 99 })),
  ]
  for (const [maxBytes, isSmall] of [
    [64 * mebibyte, false],
    [mebibyte, true],
  ] as const) {
    const { held, open, read } = createCountedMemories(maxBytes)
    const received = ranges.map((): Buffer[] => [])
    for await (const { index, bytes } of readBlocks(ranges, read, open(['a'])))
      received[index]?.push(Buffer.from(bytes))
    for (const [index, { start, end }] of ranges.entries())
      assert.ok(Buffer.concat(received[index] ?? []).equals(file.subarray(start, end + 1)))
    assert.equal(held.bytes, 0)
    assert.equal(held.maxBytes <= minBlockBytes, isSmall)
  }
})

test('holds no memory after a block could not be read', async () => {
  const { held, open } = createCountedMemories(64 * mebibyte)
  // oxlint-disable-next-line require-yield
  const fail = async function* (): AsyncGenerator<Uint8Array> {
    throw new Error('S3 is not available')
  }
  await assert.rejects(readBlocks(wholeFile, fail, open(['a'])).next(), /S3 is not available/)
  await new Promise(setImmediate)
  assert.equal(held.bytes, 0)
})

/** Starts tasks that end when `finish` is called. */
function createTasks() {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  return { work: () => promise, finish }
}

test('refuses downloads of a network or a file that already has half of them, and serves others', async () => {
  const limits = createRelayLimits({ maxDownloads: 8, maxWaiting: 1, maxWaitMs: 20 })
  const { work, finish } = createTasks()
  const sent = [
    ...Array.from({ length: 4 }, (_, index) => limits.send({ network: 'n1', key: `k${index}` }, work)),
    ...Array.from({ length: 3 }, (_, index) => limits.send({ network: `m${index}`, key: 'k0' }, work)),
  ]
  for (const client of [
    { network: 'n1', key: 'k9' },
    { network: 'n9', key: 'k0' },
  ])
    await assert.rejects(limits.send(client, work), hasCode('storage.no_capacity'))
  await limits.send({ network: 'n9', key: 'k9' }, async () => {})
  sent.push(limits.send({ network: 'n9', key: 'k9' }, work))
  await assert.rejects(limits.send({ network: 'n8', key: 'k8' }, work), hasCode('storage.no_capacity'))
  finish()
  await Promise.all(sent)
  await limits.send({ network: 'n1', key: 'k0' }, async () => {})
})

test('lets a download wait until another one has ended', async () => {
  const limits = createRelayLimits({ maxDownloads: 2, maxWaiting: 1, maxWaitMs: 60_000 })
  const client = { network: 'n1', key: 'k1' }
  const { work, finish } = createTasks()
  const first = limits.send(client, work)
  const second = limits.send(client, async () => {})
  await assert.rejects(
    limits.send(client, async () => {}),
    hasCode('storage.no_capacity'),
  )
  finish()
  await Promise.all([first, second])
})

test('refuses parts above the limits of an API key and of all keys', async () => {
  const limits = createRelayLimits({ maxParts: 3, maxPartsPerCaller: 2, maxWaitMs: 20 })
  const { work, finish } = createTasks()
  const received = ['a', 'a', 'b'].map((caller) => limits.receive(caller, work))
  await assert.rejects(limits.receive('a', work), hasCode('storage.too_many_uploads'))
  await assert.rejects(limits.receive('b', work), hasCode('storage.no_capacity'))
  finish()
  await Promise.all(received)
  await limits.receive('a', async () => {})
})
