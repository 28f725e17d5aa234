import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitConcurrency } from '../../lib/concurrency.ts'
import { shareSyncs } from './folder-syncs.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Syncs folders until the test ends or fails the oldest running sync. */
function setUp(maxConcurrent = 8) {
  const running: { folder: string; end: () => void; fail: (error: Error) => void }[] = []
  const begun: string[] = []
  const sync = (folder: string) =>
    new Promise<void>((resolve, reject) => {
      begun.push(folder)
      running.push({ folder, end: resolve, fail: reject })
    })
  return { begun, running, share: shareSyncs(sync, limitConcurrency(maxConcurrent)) }
}

test('a sync that has begun does not count for later callers, who share the next one', async () => {
  const { begun, running, share } = setUp()
  const first = share('a')
  await settle()
  let isDurable = false
  const later = Promise.all([share('a'), share('a')]).then(() => (isDurable = true))
  await settle()
  assert.deepEqual(begun, ['a'])
  running.shift()?.end()
  await first
  await settle()
  assert.deepEqual([begun.length, isDurable], [2, false])
  running.shift()?.end()
  await later
  assert.equal(begun.length, 2)
})

test('callers share a sync that waits for the disk', async () => {
  const { begun, running, share } = setUp(1)
  const other = share('b')
  await settle()
  const shared = Promise.all([share('a'), share('a')])
  await settle()
  const joined = share('a')
  running.shift()?.end()
  await other
  await settle()
  running.shift()?.end()
  await Promise.all([shared, joined])
  assert.deepEqual(begun, ['b', 'a'])
})

test('syncs of different folders run at the same time, and one that fails is repeated', async () => {
  const { begun, running, share } = setUp()
  const failing = share('a')
  const other = share('b')
  await settle()
  assert.deepEqual(begun, ['a', 'b'])
  running.shift()?.fail(new Error('broken'))
  await assert.rejects(failing, /broken/)
  running.shift()?.end()
  await other
  const again = share('a')
  await settle()
  running.shift()?.end()
  await again
})
