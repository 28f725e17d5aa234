import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createExclusive, limitConcurrency } from './concurrency.ts'

test('starts tasks in order and never exceeds the concurrency limit, even after failures', async () => {
  const limit = limitConcurrency(3)
  const started: number[] = []
  let [running, maxRunning] = [0, 0]
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      limit(async () => {
        started.push(n)
        maxRunning = Math.max(maxRunning, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        if (n % 4 === 0) throw new Error('failed')
        return n
      }),
    ),
  )
  assert.equal(maxRunning, 3)
  assert.deepEqual(started, [...started.keys()])
  assert.equal(results.filter(({ status }) => status === 'rejected').length, 5)
})

test('runs tasks with the same name sequentially and tasks with different names concurrently', async () => {
  const exclusive = createExclusive()
  const log: string[] = []
  const step = (name: string, id: number) =>
    exclusive(name, async () => {
      log.push(`${name}${id} starts`)
      await new Promise((resolve) => setImmediate(resolve))
      log.push(`${name}${id} ends`)
      if (id === 1) throw new Error('failed')
    })
  await Promise.allSettled([step('a', 1), step('a', 2), step('b', 1)])
  const linesOf = (name: string) => log.filter((line) => line.startsWith(name))
  assert.deepEqual(linesOf('a'), ['a1 starts', 'a1 ends', 'a2 starts', 'a2 ends'])
  assert.deepEqual(log.slice(0, 2), ['a1 starts', 'b1 starts'])
})
