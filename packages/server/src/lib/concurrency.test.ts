import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitConcurrency, limitConcurrencyByName } from './concurrency.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('starts tasks in order and never exceeds the concurrency limit, even after failures', async () => {
  const limit = limitConcurrency(3)
  const started: number[] = []
  let [running, maxRunning] = [0, 0]
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      limit(async () => {
        started.push(n)
        maxRunning = Math.max(maxRunning, ++running)
        await settle()
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
  const exclusive = limitConcurrencyByName(1)
  const log: string[] = []
  const step = (name: string, id: number) =>
    exclusive(name, async () => {
      log.push(`${name}${id} starts`)
      await settle()
      log.push(`${name}${id} ends`)
      if (id === 1) throw new Error('failed')
    })
  await Promise.allSettled([step('a', 1), step('a', 2), step('b', 1)])
  const linesOf = (name: string) => log.filter((line) => line.startsWith(name))
  assert.deepEqual(linesOf('a'), ['a1 starts', 'a1 ends', 'a2 starts', 'a2 ends'])
  assert.deepEqual(log.slice(0, 2), ['a1 starts', 'b1 starts'])
})

test('runs at most four tasks with the same name concurrently and queues the rest in order', async () => {
  const limit = limitConcurrencyByName(4)
  const finishes: (() => void)[] = []
  const started: string[] = []
  const start = (name: string, number: number) =>
    limit(name, async () => {
      started.push(`${name}${number}`)
      await new Promise<void>((resolve) => finishes.push(resolve))
      if (number === 2) throw new Error('failed')
    })
  const tasks = Promise.allSettled([...[1, 2, 3, 4, 5, 6].map((number) => start('a', number)), start('b', 1)])
  await settle()
  assert.deepEqual(started, ['a1', 'a2', 'a3', 'a4', 'b1'])
  for (const next of ['a5', 'a6']) {
    finishes.shift()?.()
    await settle()
    assert.equal(started.at(-1), next)
  }
  for (const finish of finishes) finish()
  assert.deepEqual(
    (await tasks).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
})

test('refuses tasks that do not fit in the queue or have waited too long, and then frees their places', async () => {
  const limit = limitConcurrency(1, { maxWaiting: 1, maxWaitMs: 20, refuse: () => new Error('full') })
  const { promise, resolve } = Promise.withResolvers<string>()
  const running = limit(() => promise)
  const waiting = limit(async () => 'second')
  await assert.rejects(
    limit(async () => 'third'),
    /full/,
  )
  await assert.rejects(waiting, /full/)
  const next = limit(async () => 'fourth')
  resolve('first')
  assert.deepEqual(await Promise.all([running, next]), ['first', 'fourth'])
})
