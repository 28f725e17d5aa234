import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBatches } from './in-batches.ts'

function heap(size: number, afterEach = () => {}) {
  let left = size
  const take = async (most: number) => {
    const taken = Math.min(most, left)
    left -= taken
    afterEach()
    return taken
  }
  return { take, left: () => left }
}

test('more than one batch, all are taken and counted', async () => {
  for (const size of [0, 1, 9, 10, 11, 30]) {
    const { take, left } = heap(size)
    assert.equal(await inBatches(10, take), size)
    assert.equal(left(), 0)
  }
})

test('the service stops meanwhile, the batch is finished and no other begins', async () => {
  const stopping = new AbortController()
  const { take, left } = heap(1_000, () => left() <= 980 && stopping.abort())
  assert.equal(await inBatches(10, take, stopping.signal), 20)
  assert.equal(left(), 980)
  assert.equal(await inBatches(10, take, stopping.signal), 0)
  assert.equal(await inBatches(10, take), 980)
})
