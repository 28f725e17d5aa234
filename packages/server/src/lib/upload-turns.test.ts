import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUploadTurns } from './upload-turns.ts'

function setUp() {
  let now = 1_000_000
  const turns = createUploadTurns({ monotonicMs: () => now })
  return { turns, pass: (ms: number) => (now += ms) }
}

/** Starts work that waits for its turn. Returns whether it has run. */
function startWork(turns: ReturnType<typeof createUploadTurns>, signal?: AbortSignal) {
  const work = { hasRun: false, end: turns.wait(signal).then(() => void (work.hasRun = true)) }
  return work
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('background work runs at once while nobody uploads', async () => {
  await setUp().turns.wait()
})

test('background work waits until no client has uploaded for a tenth of a second', async () => {
  const { turns, pass } = setUp()
  const [endFirst, endSecond] = [turns.start(), turns.start()]
  const work = startWork(turns)
  endFirst()
  pass(1_000)
  await settle()
  assert.equal(work.hasRun, false, 'an upload is still running')
  endSecond()
  pass(99)
  await settle()
  assert.equal(work.hasRun, false, 'the next request may follow')
  pass(1)
  await work.end
})

test('background work does not wait for a request that has run for ten seconds', async () => {
  const { turns, pass } = setUp()
  turns.start()
  pass(10_000)
  await turns.wait()
  await turns.wait()
})

test('background work gets a turn of half a second every two and a half seconds while uploads never stop', async () => {
  const { turns, pass } = setUp()
  turns.start()
  const [first, second] = [startWork(turns), startWork(turns)]
  pass(1_999)
  await settle()
  assert.deepEqual([first.hasRun, second.hasRun], [false, false])
  pass(1)
  await Promise.all([first.end, second.end])
  pass(499)
  await turns.wait()
  pass(1)
  const next = startWork(turns)
  pass(1_999)
  await settle()
  assert.equal(next.hasRun, false)
  pass(1)
  await next.end
})

test('background work stops waiting when the service stops', async () => {
  const { turns } = setUp()
  turns.start()
  const stopping = new AbortController()
  const work = startWork(turns, stopping.signal)
  stopping.abort()
  await work.end
})
