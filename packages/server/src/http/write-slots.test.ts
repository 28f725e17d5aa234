import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWriteSlots } from './write-slots.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('runs at most four writes per caller concurrently, queues the rest in order and does not delay other callers', async () => {
  const slots = createWriteSlots()
  const finishes: (() => void)[] = []
  const started: string[] = []
  const write = (caller: string, number: number) =>
    slots(caller, async () => {
      started.push(`${caller}${number}`)
      await new Promise<void>((resolve) => finishes.push(resolve))
      if (number === 2) throw new Error('failed')
    })
  const writes = Promise.allSettled([
    ...[1, 2, 3, 4, 5, 6].map((number) => write('a', number)),
    write('b', 1),
  ])
  await settle()
  assert.deepEqual(started, ['a1', 'a2', 'a3', 'a4', 'b1'])
  for (const next of ['a5', 'a6']) {
    finishes.shift()?.()
    await settle()
    assert.equal(started.at(-1), next)
  }
  for (const finish of finishes) finish()
  assert.deepEqual(
    (await writes).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
})
