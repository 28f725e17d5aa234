import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { startTimeLimit } from './time-limit.ts'

test('aborts after the time limit, in which stalls of the process do not count', async () => {
  using limit = startTimeLimit(500)
  const aborted = once(limit.signal, 'abort')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
  await nextTurn()
  assert.equal(limit.signal.aborted, false)
  // The timer does not keep the process running.
  const keepAlive = setInterval(() => {}, 1000)
  await aborted.finally(() => clearInterval(keepAlive))
  assert.equal((limit.signal.reason as Error).name, 'TimeoutError')
})
