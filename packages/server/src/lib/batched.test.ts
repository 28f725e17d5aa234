import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batched } from './batched.ts'

test('loads keys individually up to the concurrency limit and batches the waiting keys', async () => {
  const loads: { keys: number[]; finish: () => void }[] = []
  const find = batched({
    maxBatch: 100,
    maxConcurrency: 2,
    load: (keys: number[]) =>
      new Promise<string[]>((resolve) => {
        loads.push({ keys, finish: () => resolve(keys.map((key) => `value ${key}`)) })
      }),
  })
  const found = Promise.all(Array.from({ length: 150 }, (_, key) => find(key)))
  assert.deepEqual(
    loads.map(({ keys }) => keys.length),
    [1, 1],
  )
  loads[0]!.finish()
  await new Promise(setImmediate)
  loads[1]!.finish()
  await new Promise(setImmediate)
  for (const { finish } of loads) finish()
  assert.deepEqual(
    await found,
    Array.from({ length: 150 }, (_, key) => `value ${key}`),
  )
  assert.deepEqual(
    loads.map(({ keys }) => keys.length),
    [1, 1, 100, 48],
  )
})

test('rejects only the callers of a failed load and continues with the next load', async () => {
  const find = batched({
    maxBatch: 10,
    maxConcurrency: 1,
    load: async (keys: string[]) => {
      if (keys.includes('bad')) throw new Error('no')
      return keys
    },
  })
  const bad = find('bad')
  const good = find('good')
  await assert.rejects(bad, /no/)
  assert.equal(await good, 'good')
})
