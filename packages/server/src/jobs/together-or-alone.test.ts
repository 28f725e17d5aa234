import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../lib/problem.ts'
import { togetherOrAlone } from './together-or-alone.ts'

function scene(refuse: (ids: string[]) => Error | undefined) {
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
    run: (ids: string[]) => togetherOrAlone(ids, { work, onError: (_, id) => failed.push(id) }),
  }
}

const away = (code: string) => new Problem('unavailable', code, 'away')

test('nothing fails, one call for all; of nothing, none', async () => {
  const { calls, run } = scene(() => undefined)
  assert.equal(await run(['a', 'b']), 2)
  assert.equal(await run([]), 0)
  assert.deepEqual(calls, [['a', 'b']])
})

test('one cannot be done, the others are and it is told of once', async () => {
  const { calls, failed, run } = scene((ids) => (ids.includes('b') ? new Error('broken') : undefined))
  assert.equal(await run(['a', 'b', 'c']), 2)
  assert.deepEqual(calls, [['a', 'b', 'c'], ['a'], ['b'], ['c']])
  assert.deepEqual(failed, ['b'])
})

test('the database is away, nothing more is tried', async () => {
  const { calls, failed, run } = scene(() => away('database.unavailable'))
  await assert.rejects(run(['a', 'b']), { code: 'database.unavailable' })
  assert.deepEqual([calls.length, failed], [1, []])
})

test('too much for one statement, each alone; one alone that takes too long ends it', async () => {
  const slow = scene((ids) => (ids.length > 1 ? away('database.timeout') : undefined))
  assert.equal(await slow.run(['a', 'b']), 2)
  const hopeless = scene(() => away('database.timeout'))
  await assert.rejects(hopeless.run(['a', 'b']), { code: 'database.timeout' })
  assert.equal(hopeless.calls.length, 2)
})
