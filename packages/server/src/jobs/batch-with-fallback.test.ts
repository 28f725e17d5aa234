import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../lib/problem.ts'
import { runBatchWithFallback } from './batch-with-fallback.ts'

function setUp(refuse: (ids: string[]) => Error | undefined) {
  const calls: string[][] = []
  const failed: string[] = []
  const work = async (ids: string[]) => {
    calls.push(ids)
    const error = refuse(ids)
    if (error !== undefined) throw error
    return ids.length
  }
  return {
    calls,
    failed,
    run: (ids: string[]) => runBatchWithFallback(ids, { work, onError: (_, id) => failed.push(id) }),
  }
}

const unavailable = (code: string) => new Problem('unavailable', code, 'unavailable')

test('processes all items in one call and makes no call for an empty list', async () => {
  const { calls, run } = setUp(() => undefined)
  assert.equal(await run(['a', 'b']), 2)
  assert.equal(await run([]), 0)
  assert.deepEqual(calls, [['a', 'b']])
})

test('falls back to one item at a time when a batch fails and calls onError only for the failing item', async () => {
  const { calls, failed, run } = setUp((ids) => (ids.includes('b') ? new Error('broken') : undefined))
  assert.equal(await run(['a', 'b', 'c']), 2)
  assert.deepEqual(calls, [['a', 'b', 'c'], ['a'], ['b'], ['c']])
  assert.deepEqual(failed, ['b'])
})

test('stops when the database is unavailable', async () => {
  const { calls, failed, run } = setUp(() => unavailable('database.unavailable'))
  await assert.rejects(run(['a', 'b']), { code: 'database.unavailable' })
  assert.deepEqual([calls.length, failed], [1, []])
})

test('splits a batch that times out but rethrows the error when a single item times out', async () => {
  const slow = setUp((ids) => (ids.length > 1 ? unavailable('database.timeout') : undefined))
  assert.equal(await slow.run(['a', 'b']), 2)
  const hopeless = setUp(() => unavailable('database.timeout'))
  await assert.rejects(hopeless.run(['a', 'b']), { code: 'database.timeout' })
  assert.equal(hopeless.calls.length, 2)
})
