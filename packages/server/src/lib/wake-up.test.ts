import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWakeUp } from './wake-up.ts'

const hourMs = 3_600_000
const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('ends a pause early and clears its timer', async () => {
  const { wake, pause } = createWakeUp()
  const timersBefore = countTimers()
  for (let round = 0; round < 10; round++) {
    const paused = pause(hourMs)
    wake()
    await paused
  }
  assert.equal(countTimers(), timersBefore)
})

test('skips one pause if it is woken before the pause', async () => {
  const { wake, pause } = createWakeUp()
  wake()
  wake()
  await pause(hourMs)
  let isOver = false
  const next = pause(hourMs).then(() => (isOver = true))
  await Promise.resolve()
  assert.equal(isOver, false)
  wake()
  await next
})

test('ends a pause after its time', async () => {
  await createWakeUp().pause(1)
})
