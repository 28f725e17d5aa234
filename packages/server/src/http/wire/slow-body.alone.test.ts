import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import type { Problem } from '../../lib/problem.ts'
import { maxBodyBytes, readBody } from './body.ts'

const windowMs = 7_500

/** Sends one piece of a body just before each time window ends and returns the resulting status. */
async function readSlowly(t: TestContext, pieces: number[]): Promise<number> {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const request = new IncomingMessage(new Socket())
  const outcome = readBody(request, maxBodyBytes).then(
    () => 200,
    (problem: Problem) => problem.status,
  )
  for (const length of pieces) {
    request.push(Buffer.alloc(length))
    await new Promise(setImmediate)
    t.mock.timers.tick(windowMs)
    for (let turn = 0; turn < 8; turn++) await new Promise(setImmediate)
  }
  request.push(null)
  return outcome
}

test('accepts a body that arrives within 30 seconds and above the minimum rate', async (t) => {
  assert.equal(await readSlowly(t, [8_000, 8_000, 8_000]), 200)
})

test('returns 408 for a body that arrives more slowly than the minimum rate', async (t) => {
  assert.equal(await readSlowly(t, [8_000, 7_000]), 408)
})

test('returns 408 for a body that takes longer than 30 seconds', async (t) => {
  assert.equal(await readSlowly(t, [8_000, 8_000, 8_000, 8_000]), 408)
})

test('reassembles a body that arrives one byte at a time', async () => {
  const request = new IncomingMessage(new Socket())
  const body = readBody(request, maxBodyBytes)
  const sent = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 256))
  for (const byte of sent) request.push(Buffer.of(byte))
  request.push(null)
  assert.deepEqual(await body, sent)
})
